/* Shared by every test program: start and end of a test, checks that say rank, what, expected and
 * got, and a watchdog, so that no test can hang its runner. Plain C99 and MPI-3.1, so that the same
 * source compiles against any MPI's mpi.h. Include it first: it sets the feature macro for POSIX.
 *
 * A test that passes prints `No Errors` as rank 0's last line and exits with 0. */
#ifndef CTESTS_TEST_H
#define CTESTS_TEST_H

#ifndef _XOPEN_SOURCE
#define _XOPEN_SOURCE 700
#endif
#include <mpi.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef __GNUC__
#define TEST_UNUSED __attribute__((unused))
#else
#define TEST_UNUSED
#endif

/* Mismatches printed per rank; the rest are only counted. */
#define TEST_SHOWN 20

static int test_rank = -1;
static int test_size = 0;
static int test_errors = 0;
static int test_deadline = 60;
static const char *volatile test_step = "start";

/* Only async-signal-safe calls: the rank may be stuck inside the library. */
static void test_expired(int sig) {
    static const char head[] = "watchdog: this rank did not end in time, its last step was: ";
    const char *step = test_step;
    ssize_t ignored = write(1, head, sizeof head - 1);
    ignored += write(1, step, strlen(step));
    ignored += write(1, "\n", 1);
    (void)ignored;
    (void)sig;
    _exit(124);
}

/* Starts (or restarts) the watchdog; CTEST_SECONDS overrides the program's own figure. */
TEST_UNUSED static void test_watchdog(int seconds) {
    struct sigaction action;
    const char *text = getenv("CTEST_SECONDS");
    test_deadline = text && atoi(text) > 0 ? atoi(text) : seconds;
    memset(&action, 0, sizeof action);
    action.sa_handler = test_expired;
    sigaction(SIGALRM, &action, NULL);
    alarm((unsigned)test_deadline);
}

TEST_UNUSED static void test_fail(const char *file, int line, const char *format, ...) {
    char text[800];
    const char *base = strrchr(file, '/');
    va_list args;
    test_errors++;
    if (test_errors > TEST_SHOWN) return;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    printf("rank %d: %s:%d: %s [step %s]\n", test_rank, base ? base + 1 : file, line, text, test_step);
    fflush(stdout);
}

TEST_UNUSED static void test_equal(const char *file, int line, const char *what, long long expected, long long got) {
    if (expected != got) test_fail(file, line, "%s: expected %lld, got %lld", what, expected, got);
}

TEST_UNUSED static void test_text(const char *file, int line, const char *what, const char *expected, const char *got) {
    if (strcmp(expected, got) != 0) test_fail(file, line, "%s: expected \"%s\", got \"%s\"", what, expected, got);
}

static const char *test_class_name(int class_) {
    static const struct {
        int class_;
        const char *name;
    } names[] = {
        {MPI_SUCCESS, "MPI_SUCCESS"},
        {MPI_ERR_BUFFER, "MPI_ERR_BUFFER"},
        {MPI_ERR_COUNT, "MPI_ERR_COUNT"},
        {MPI_ERR_TYPE, "MPI_ERR_TYPE"},
        {MPI_ERR_TAG, "MPI_ERR_TAG"},
        {MPI_ERR_COMM, "MPI_ERR_COMM"},
        {MPI_ERR_RANK, "MPI_ERR_RANK"},
        {MPI_ERR_REQUEST, "MPI_ERR_REQUEST"},
        {MPI_ERR_ROOT, "MPI_ERR_ROOT"},
        {MPI_ERR_GROUP, "MPI_ERR_GROUP"},
        {MPI_ERR_OP, "MPI_ERR_OP"},
        {MPI_ERR_TOPOLOGY, "MPI_ERR_TOPOLOGY"},
        {MPI_ERR_DIMS, "MPI_ERR_DIMS"},
        {MPI_ERR_ARG, "MPI_ERR_ARG"},
        {MPI_ERR_UNKNOWN, "MPI_ERR_UNKNOWN"},
        {MPI_ERR_TRUNCATE, "MPI_ERR_TRUNCATE"},
        {MPI_ERR_OTHER, "MPI_ERR_OTHER"},
        {MPI_ERR_INTERN, "MPI_ERR_INTERN"},
        {MPI_ERR_PENDING, "MPI_ERR_PENDING"},
        {MPI_ERR_IN_STATUS, "MPI_ERR_IN_STATUS"},
        {MPI_ERR_INFO, "MPI_ERR_INFO"},
        {MPI_ERR_INFO_KEY, "MPI_ERR_INFO_KEY"},
        {MPI_ERR_INFO_VALUE, "MPI_ERR_INFO_VALUE"},
        {MPI_ERR_INFO_NOKEY, "MPI_ERR_INFO_NOKEY"},
        {MPI_ERR_KEYVAL, "MPI_ERR_KEYVAL"},
        {MPI_ERR_UNSUPPORTED_OPERATION, "MPI_ERR_UNSUPPORTED_OPERATION"},
        {MPI_ERR_WIN, "MPI_ERR_WIN"},
        {MPI_ERR_FILE, "MPI_ERR_FILE"},
    };
    size_t i;
    for (i = 0; i < sizeof names / sizeof names[0]; i++)
        if (names[i].class_ == class_) return names[i].name;
    return "another class";
}

/* The class of a return code must be `expected`; for MPI_SUCCESS the library's own text is shown. */
TEST_UNUSED static void test_class(const char *file, int line, const char *call, int expected, int code) {
    char text[MPI_MAX_ERROR_STRING + 1] = "";
    int class_ = MPI_SUCCESS, length = 0;
    if (code == MPI_SUCCESS && expected == MPI_SUCCESS) return;
    if (code != MPI_SUCCESS) MPI_Error_class(code, &class_);
    if (class_ == expected) return;
    if (code != MPI_SUCCESS) MPI_Error_string(code, text, &length);
    test_fail(file, line, "%s: expected %s, got %s (%d) %.300s", call, test_class_name(expected),
              test_class_name(class_), class_, text);
}

#define STEP(name) (test_step = (name))
#define CHECK(condition, ...) ((condition) ? (void)0 : test_fail(__FILE__, __LINE__, __VA_ARGS__))
#define EQUAL(what, expected, got) test_equal(__FILE__, __LINE__, what, (long long)(expected), (long long)(got))
#define SAME_TEXT(what, expected, got) test_text(__FILE__, __LINE__, what, expected, got)
#define MUST(call) test_class(__FILE__, __LINE__, #call, MPI_SUCCESS, (call))
#define FAILS(class_, call) test_class(__FILE__, __LINE__, #call, class_, (call))

/* Bytes that depend on seed and position, cheap enough for megabytes, with no short period. */
TEST_UNUSED static unsigned char test_byte(unsigned seed, size_t i) {
    return (unsigned char)(seed * 37u + (unsigned)i * 7u + (unsigned)(i >> 8) * 13u + (unsigned)(i >> 16));
}

TEST_UNUSED static void test_fill(void *buffer, size_t bytes, unsigned seed) {
    unsigned char *p = buffer;
    size_t i;
    for (i = 0; i < bytes; i++) p[i] = test_byte(seed, i);
}

#define CHECK_FILL(what, buffer, bytes, seed) test_check_fill(__FILE__, __LINE__, what, buffer, bytes, seed)
TEST_UNUSED static void test_check_fill(const char *file, int line, const char *what, const void *buffer, size_t bytes,
                                        unsigned seed) {
    const unsigned char *p = buffer;
    size_t i;
    for (i = 0; i < bytes; i++)
        if (p[i] != test_byte(seed, i)) {
            test_fail(file, line, "%s: byte %lu of %lu: expected 0x%02x, got 0x%02x", what, (unsigned long)i,
                      (unsigned long)bytes, test_byte(seed, i), p[i]);
            return;
        }
}

/* Source, tag and element count of a status in one check. */
#define CHECK_STATUS(what, status, source, tag, type, count) \
    test_status(__FILE__, __LINE__, what, status, source, tag, type, count)
TEST_UNUSED static void test_status(const char *file, int line, const char *what, const MPI_Status *status, int source,
                                    int tag, MPI_Datatype type, int count) {
    int got = -1;
    MPI_Get_count((MPI_Status *)status, type, &got);
    if (status->MPI_SOURCE != source || status->MPI_TAG != tag || got != count)
        test_fail(file, line, "%s: status: expected source %d tag %d count %d, got %d %d %d", what, source, tag, count,
                  status->MPI_SOURCE, status->MPI_TAG, got);
}

TEST_UNUSED static void *test_alloc(size_t bytes) {
    void *p = malloc(bytes ? bytes : 1);
    if (!p) {
        printf("rank %d: no memory for %lu bytes\n", test_rank, (unsigned long)bytes);
        exit(3);
    }
    return p;
}

/* What a program does after it initialised MPI by itself. */
TEST_UNUSED static void test_started(void) {
    MPI_Comm_rank(MPI_COMM_WORLD, &test_rank);
    MPI_Comm_size(MPI_COMM_WORLD, &test_size);
    setvbuf(stdout, NULL, _IOLBF, 4096);
}

TEST_UNUSED static void test_start(int *argc, char ***argv) {
    test_watchdog(test_deadline);
    MPI_Init(argc, argv);
    test_started();
}

/* For each rank of MPI_COMM_WORLD whether it is on this rank's host, which has the same processor name there; to be freed. */
TEST_UNUSED static char *test_neighbours(void) {
    char mine[MPI_MAX_PROCESSOR_NAME] = "", *names = test_alloc((size_t)test_size * sizeof mine), *near = test_alloc((size_t)test_size);
    int length, i;
    MUST(MPI_Get_processor_name(mine, &length));
    MUST(MPI_Allgather(mine, sizeof mine, MPI_CHAR, names, sizeof mine, MPI_CHAR, MPI_COMM_WORLD));
    for (i = 0; i < test_size; i++) near[i] = strcmp(mine, names + (size_t)i * sizeof mine) == 0;
    free(names);
    return near;
}

/* Adds up the mismatches of all ranks; rank 0 prints the verdict. Every rank gets the sum. */
TEST_UNUSED static int test_verdict(void) {
    int total = 0;
    STEP("verdict");
    if (test_errors > TEST_SHOWN) printf("rank %d: %d mismatches in all\n", test_rank, test_errors);
    fflush(stdout);
    MPI_Reduce(&test_errors, &total, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Bcast(&total, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (test_rank == 0) {
        if (total == 0)
            printf("No Errors\n");
        else
            printf("Found %d errors\n", total);
        fflush(stdout);
    }
    return total;
}

TEST_UNUSED static int test_finish(void) {
    int total = test_verdict();
    STEP("finalize");
    MPI_Finalize();
    return total == 0 ? 0 : 1;
}

#endif
