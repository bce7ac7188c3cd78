/* Shared by the benchmarks: options, the time budget, medians and the output line.
 *
 * Output is one line `op bytes ranks usec` per measurement, from rank 0 only. Between two ranks there is a line for each
 * distance that they were at, which is a fifth word: the nanoseconds that a cache line takes from one to the other, as
 * a power of two, measured before and after each round; 0 where it changed meanwhile. A virtual machine may move its
 * processors at any time, and everything takes another time then. `-r rounds` sets the
 * number of rounds of each size (default 15); `-m bytes` the largest size; `-p word+word` the pattern of the calls (see
 * `bench_pattern`); further words are left to the program. A size ends
 * early when its share of the budget (10 s for the whole run, `-t seconds`) is used, so that an oversubscribed or slow
 * library ends in time too.
 * All ranks take the same number of rounds: rank 0 decides and broadcasts it. Include it first, as test.h.
 */
#ifndef CTESTS_BENCH_H
#define CTESTS_BENCH_H

/* memfd_create */
#define _GNU_SOURCE
#include "../test.h"
#include <fcntl.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

#define BENCH_ROUNDS 400

static int bench_rounds = 15;
static size_t bench_largest = 4u << 20;
static double bench_budget = 8.0;
/* The pattern of the calls, by words that may be joined by `+`; without any, calls are many and follow each other, roots
 * take turns, buffers stay, and a time ends when the last rank is through. */
static struct {
    int first;    /* 10 calls and then 100 that are timed, once: what has not been used for long is timed. */
    int fixed;    /* Rank 0 is the root of each call. */
    int barrier;  /* Each call is timed by itself, and a barrier follows it. */
    int averaged; /* The time is the mean of all ranks' times. */
    int written;  /* What is sent is written anew before each call. */
    int fresh;    /* Each call has other buffers than the one before. */
} bench_pattern;
static double bench_begin;

/* What two ranks measure their distance by; NULL where they do not. */
static struct bench_lines {
    _Alignas(128) _Atomic uint32_t ping;
    _Alignas(128) _Atomic uint32_t pong;
} *bench_lines;

/* Who needs more defines it before. */
#ifndef BENCH_LEVEL
#define BENCH_LEVEL MPI_THREAD_SINGLE
#endif

/* Maps the lines into both of two ranks. */
static void bench_share(void) {
    int at[2] = {getpid(), -1}, bounds[2], core, mapped, fd;
    char path[64];
    cpu_set_t may;
    MPI_Comm node;
    if (test_size != 2) return;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
    MPI_Comm_size(node, &mapped);
    MPI_Comm_free(&node);
    if (mapped != 2) return;
    /* Kept to the same core they would wait for each other's time slices. */
    sched_getaffinity(0, sizeof may, &may);
    core = CPU_COUNT(&may) == 1 ? sched_getcpu() : -1 - test_rank;
    bounds[0] = core, bounds[1] = -core;
    MPI_Allreduce(MPI_IN_PLACE, bounds, 2, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (bounds[0] == -bounds[1]) return;
    if (test_rank == 0) {
        at[1] = memfd_create("bench", MFD_CLOEXEC);
        if (at[1] >= 0 && ftruncate(at[1], sizeof *bench_lines) != 0) at[1] = -1;
    }
    MPI_Bcast(at, 2, MPI_INT, 0, MPI_COMM_WORLD);
    snprintf(path, sizeof path, "/proc/%d/fd/%d", at[0], at[1]);
    fd = open(path, O_RDWR | O_CLOEXEC);
    bench_lines = mmap(NULL, sizeof *bench_lines, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    mapped = bench_lines != MAP_FAILED;
    MPI_Allreduce(MPI_IN_PLACE, &mapped, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (!mapped) bench_lines = NULL;
    close(fd);
    if (test_rank == 0) close(at[1]);
}

/* What a line takes from one of two ranks to the other, in nanoseconds, rounded to a power of two; 0 if one of them lost
 * its processor, -1 if they do not measure it. Both call it. */
static int bench_distance(void) {
    enum { TIMES = 64 };
    static uint32_t turn;
    double begin = 0;
    int i, time;
    if (!bench_lines) return -1;
    /* The first way also waits for the other one to come. */
    for (i = 0; i <= TIMES; i++) {
        turn++;
        if (test_rank == 0) {
            if (i == 1) begin = MPI_Wtime();
            atomic_store_explicit(&bench_lines->ping, turn, memory_order_release);
            while (atomic_load_explicit(&bench_lines->pong, memory_order_acquire) != turn) {}
        } else {
            while (atomic_load_explicit(&bench_lines->ping, memory_order_acquire) != turn) {}
            atomic_store_explicit(&bench_lines->pong, turn, memory_order_release);
        }
    }
    begin = (MPI_Wtime() - begin) / TIMES / 2 * 1e9;
    for (time = 1; time * 1.414 < begin && time < 4096; time *= 2) {}
    return time < 4096 ? time : 0;
}

/* The root of call i of a collective. */
TEST_UNUSED static int bench_root(int i) {
    return bench_pattern.fixed ? 0 : i % test_size;
}

/* Reads the words of a pattern. */
static void bench_read_pattern(const char *words) {
    const struct {
        const char *name;
        int *word;
    } known[] = {{"first", &bench_pattern.first},       {"fixed", &bench_pattern.fixed},     {"barrier", &bench_pattern.barrier},
                 {"averaged", &bench_pattern.averaged}, {"written", &bench_pattern.written}, {"fresh", &bench_pattern.fresh}};
    enum { KNOWN = sizeof known / sizeof known[0] };
    for (;;) {
        size_t i, length = strcspn(words, "+");
        for (i = 0; i < KNOWN; i++)
            if (strlen(known[i].name) == length && strncmp(words, known[i].name, length) == 0) break;
        if (i == KNOWN) {
            if (test_rank == 0) fprintf(stderr, "unknown pattern %s\n", words);
            MPI_Abort(MPI_COMM_WORLD, 2);
        }
        *known[i].word = 1;
        if (words[length] == '\0') return;
        words += length + 1;
    }
}

/* Reads the options and starts MPI; returns the index of the first word that is not an option. */
TEST_UNUSED static int bench_start(int *argc, char ***argv) {
    int i, level;
    test_watchdog(60);
    MPI_Init_thread(argc, argv, BENCH_LEVEL, &level);
    test_started();
    if (level < BENCH_LEVEL) {
        fprintf(stderr, "thread level %d where %d is needed\n", level, BENCH_LEVEL);
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    for (i = 1; i + 1 < *argc && (*argv)[i][0] == '-'; i += 2) {
        double value = atof((*argv)[i + 1]);
        switch ((*argv)[i][1]) {
            case 'r': bench_rounds = value < 1 ? 1 : value > BENCH_ROUNDS ? BENCH_ROUNDS : (int)value; break;
            case 'm': bench_largest = (size_t)value; break;
            case 't': bench_budget = value; break;
            case 'p': bench_read_pattern((*argv)[i + 1]); break;
            default:
                if (test_rank == 0) fprintf(stderr, "unknown option %s\n", (*argv)[i]);
                MPI_Abort(MPI_COMM_WORLD, 2);
        }
    }
    bench_share();
    MPI_Barrier(MPI_COMM_WORLD);
    bench_begin = MPI_Wtime();
    return i;
}

/* Stands for the computation of what is sent next: writes one byte of each cache line, the least that takes the
 * line away from whoever has read it. */
TEST_UNUSED static void bench_compute(char *data, size_t bytes) {
    size_t i;
    if (bench_pattern.written)
        for (i = 0; i < bytes; i += 64) ((volatile char *)data)[i] = 0;
}

static int bench_compare(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

/* The median of so many values, which are sorted. */
TEST_UNUSED static double bench_median(double *values, int count) {
    qsort(values, (size_t)count, sizeof values[0], bench_compare);
    return values[count / 2];
}

/* Prints what one call of `op` takes, in microseconds, at a distance; -1: none. */
TEST_UNUSED static void bench_line(const char *op, size_t bytes, double usec, int distance) {
    printf("%s %lu %d %.4f", op, (unsigned long)bytes, test_size, usec);
    if (distance >= 0) printf(" %d", distance);
    puts("");
}

/* The next size: 1, 8, 64, from there on four times the last, and 32 KiB, where protocols often change. */
TEST_UNUSED static size_t bench_next(size_t bytes) {
    if (bytes < 64) return bytes * 8;
    return bytes == 16384 || bytes == 32768 ? bytes * 2 : bytes * 4;
}

enum { BENCH_SIZES = 64 };

/* The sizes to measure: the words from `first` on, or else `sizes[0]` and what `bench_next` makes of it, up to the
 * largest. Returns how many there are, and makes the largest of the words the largest size. */
TEST_UNUSED static int bench_sizes(int argc, char **argv, int first, size_t sizes[BENCH_SIZES]) {
    size_t bytes = sizes[0];
    int i, count = 0;
    if (argc - first > BENCH_SIZES) {
        if (test_rank == 0) fprintf(stderr, "%d sizes, at most %d\n", argc - first, BENCH_SIZES);
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    for (i = first; i < argc; i++) {
        if (argv[i][strspn(argv[i], "0123456789")] != 0) {
            if (test_rank == 0) fprintf(stderr, "not a number of bytes: %s\n", argv[i]);
            MPI_Abort(MPI_COMM_WORLD, 2);
        }
        sizes[count] = (size_t)atoll(argv[i]);
        if (sizes[count] > bench_largest) bench_largest = sizes[count];
        count++;
    }
    if (count > 0) return count;
    if (bytes == 0) sizes[count++] = bytes++;
    for (; bytes <= bench_largest; bytes = bench_next(bytes)) sizes[count++] = bytes;
    return count;
}

/* Bytes that buffers of fresh places take together, more than the caches hold. */
#define BENCH_POOL (64u << 20)

/* Memory for buffers of up to so many bytes at the places that `bench_offset` gives. All of it has been written. */
TEST_UNUSED static char *bench_pool(size_t bytes) {
    size_t all = bench_pattern.fresh && bytes < BENCH_POOL ? BENCH_POOL : bytes;
    char *pool = test_alloc(all);
    memset(pool, 1, all);
    return pool;
}

/* Where in a pool the buffer of so many bytes of call `i` begins. */
TEST_UNUSED static size_t bench_offset(int i, size_t bytes) {
    size_t each = (bytes + 4095) / 4096 * 4096, places = each == 0 ? 0 : BENCH_POOL / each;
    return bench_pattern.fresh && places > 1 ? (size_t)i % places * each : 0;
}

/* The time of `count` calls: until the last rank is through, or the mean of all ranks. Where ranks wait for their turn on a
 * processor, or nobody answers the first one, as in a scan, one may be through long before the others. */
static double bench_time(size_t bytes, int count, void (*body)(size_t bytes, int begin, int end)) {
    double begin = MPI_Wtime(), mine = 0, all;
    int i;
    if (bench_pattern.barrier)
        for (i = 0; i < count; i++) {
            begin = MPI_Wtime();
            body(bytes, i, i + 1);
            mine += MPI_Wtime() - begin;
            MPI_Barrier(MPI_COMM_WORLD);
        }
    else {
        body(bytes, 0, count);
        mine = MPI_Wtime() - begin;
    }
    MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, bench_pattern.averaged ? MPI_SUM : MPI_MAX, MPI_COMM_WORLD);
    return bench_pattern.averaged ? all / test_size : all;
}

/* The number of calls that take some milliseconds, more where ranks wait for their turn on a processor. */
static int bench_fit(size_t bytes, double limit, void (*body)(size_t bytes, int begin, int end)) {
    double least = test_size > sysconf(_SC_NPROCESSORS_ONLN) ? 0.01 : 0.002, begin = MPI_Wtime(), time;
    int count = 1, fits;
    body(bytes, 0, 1);
    for (;; count *= 4) {
        MPI_Barrier(MPI_COMM_WORLD);
        time = bench_time(bytes, count, body);
        fits = time > least || count >= 100000 || MPI_Wtime() - begin > limit / 2;
        MPI_Bcast(&fits, 1, MPI_INT, 0, MPI_COMM_WORLD);
        if (fits) return count;
    }
}

/* Measures `body(bytes, begin, end)`, which makes the calls from number `begin` up to `end`, over rounds whose length is fitted, or
 * once after few calls, and prints the median of the time of one
 * call times `scale`, at each distance. `share` is the part of the budget that this measurement may use. */
TEST_UNUSED static void bench_measure(const char *op, size_t bytes, double scale, double share,
                                      void (*body)(size_t bytes, int begin, int end)) {
    enum { WARM = 10, TIMED = 100 };
    double times[BENCH_ROUNDS], some[BENCH_ROUNDS], begin = MPI_Wtime(), limit = bench_budget * share;
    int rounds = bench_pattern.first ? 1 : bench_rounds, count = TIMED;
    int distances[BENCH_ROUNDS], round, first, i, n, go;
    if (bench_pattern.first) bench_time(bytes, WARM, body);
    else count = bench_fit(bytes, limit, body);
    for (round = 0; round < rounds; round++) {
        int before = bench_distance();
        MPI_Barrier(MPI_COMM_WORLD);
        times[round] = bench_time(bytes, count, body) / count;
        distances[round] = bench_distance();
        if (distances[round] != before) distances[round] = 0;
        go = MPI_Wtime() - begin < limit && MPI_Wtime() - bench_begin < bench_budget;
        MPI_Bcast(&go, 1, MPI_INT, 0, MPI_COMM_WORLD);
        if (!go) {
            round++;
            break;
        }
    }
    for (first = 0; test_rank == 0 && first < round; first++) {
        int distance = distances[first];
        for (i = 0; i < first && distances[i] != distance; i++) {}
        if (i < first) continue;
        for (n = 0; i < round; i++)
            if (distances[i] == distance) some[n++] = times[i];
        bench_line(op, bytes, bench_median(some, n) * scale * 1e6, distance);
    }
    fflush(stdout);
}

static int bench_finish(void) {
    MPI_Finalize();
    return 0;
}

#endif
