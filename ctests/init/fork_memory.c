/* A child has the memory of a rank as it was when it was forked, whatever the two write later on: blocks of
 * MPI_Alloc_mem and of the C library, which other ranks may map, and those that a block was freed between. */
#include "../test.h"
#include <pthread.h>
#include <sys/wait.h>

enum { BLOCKS = 6, BYTES = 300000, TURNS = 3 };

/* What a library may do around a fork: take blocks and give them back. It is registered before any library's constructor runs. */
static void allocate(void) {
    char *bytes = malloc(BYTES);
    if (bytes == NULL) _exit(91);
    memset(bytes, 1, BYTES);
    free(bytes);
}

static void before_all(int argc, char **argv, char **env) {
    (void)argc, (void)argv, (void)env;
    pthread_atfork(allocate, allocate, allocate);
}

__attribute__((used, section(".preinit_array"))) static void (*const first)(int, char **, char **) = before_all;

static unsigned char *block[BLOCKS];

/* The first byte that is not as expected, or -1. */
static long wrong(const unsigned char *bytes, int expected) {
    long i;
    for (i = 0; i < BYTES; i++)
        if (bytes[i] != expected) return i;
    return -1;
}

/* Waits until the parent has written; says how many blocks are not as they were, then writes to them. */
static int child(int from, int turn) {
    int i, bad = 0;
    char byte;
    if (read(from, &byte, 1) != 1) return 90;
    for (i = 0; i < BLOCKS; i++) {
        if (wrong(block[i], 10 * turn + i) >= 0) bad++;
        memset(block[i], 200, BYTES);
        if (wrong(block[i], 200) >= 0) bad += 10;
        free(malloc(BYTES));
    }
    return bad;
}

int main(int argc, char **argv) {
    int i, turn, all;
    test_start(&argc, &argv);
    for (i = 0; i < BLOCKS; i++) {
        if (i % 2)
            block[i] = test_alloc(BYTES);
        else
            MUST(MPI_Alloc_mem(BYTES, MPI_INFO_NULL, &block[i]));
    }
    for (turn = 0; turn < TURNS; turn++) {
        int ends[2], status = -1;
        pid_t pid;
        unsigned char *between = test_alloc(BYTES);
        STEP("fork");
        for (i = 0; i < BLOCKS; i++) memset(block[i], 10 * turn + i, BYTES);
        memset(between, 77, BYTES);
        free(between);
        CHECK(pipe(ends) == 0, "no pipe");
        fflush(stdout);
        pid = fork();
        if (pid == 0) _exit(child(ends[0], turn));
        STEP("the parent writes");
        for (i = 0; i < BLOCKS; i++) memset(block[i], 100 + i, BYTES);
        CHECK(write(ends[1], "", 1) == 1, "no child reads");
        CHECK(waitpid(pid, &status, 0) == pid && WIFEXITED(status), "status %x", (unsigned)status);
        EQUAL("blocks that are wrong in the child", 0, WEXITSTATUS(status));
        close(ends[0]);
        close(ends[1]);
        for (i = 0; i < BLOCKS; i++) EQUAL("the parent's bytes", -1, wrong(block[i], 100 + i));
        MUST(MPI_Allreduce(&test_rank, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
        EQUAL("sum", test_size * (test_size - 1) / 2, all);
    }
    for (i = 0; i < BLOCKS; i++) {
        if (i % 2)
            free(block[i]);
        else
            MUST(MPI_Free_mem(block[i]));
    }
    return test_finish();
}
