/* With MPI_ANYMPI_PROGRESS_THREAD=1, what has been started goes on while every thread of the program is outside
 * of MPI: a long message arrives, and a non-blocking collective ends. The program sees that in its own memory,
 * and calls nothing meanwhile. The level of thread support is the one that was asked for. */
#include "../test.h"
#include <time.h>

enum { WORDS = 1 << 20, SECONDS = 30 };
static int out[WORDS];
static volatile int in[WORDS];

/* Looks at the buffer's ends until they hold `value`; calls no MPI. */
static int came(int value) {
    struct timespec pause = {0, 1000000}, start, now;
    clock_gettime(CLOCK_MONOTONIC, &start);
    while (in[0] != value || in[WORDS / 2] != value || in[WORDS - 1] != value) {
        nanosleep(&pause, NULL);
        clock_gettime(CLOCK_MONOTONIC, &now);
        if (now.tv_sec - start.tv_sec > SECONDS) return 0;
    }
    return 1;
}

static void fill(int value, int into) {
    int i;
    for (i = 0; i < WORDS; i++) {
        out[i] = value;
        in[i] = into;
    }
}

int main(int argc, char **argv) {
    int level, round, i, left, right;
    MPI_Request request[2];
    test_watchdog(test_deadline * 3);
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
    test_started();
    EQUAL("thread level", MPI_THREAD_FUNNELED, level);
    MUST(MPI_Query_thread(&level));
    EQUAL("thread level", MPI_THREAD_FUNNELED, level);
    right = (test_rank + 1) % test_size, left = (test_rank + test_size - 1) % test_size;

    for (round = 1; round <= 3; round++) {
        STEP("a long message, its receive first");
        fill(round * 100 + test_rank, -1);
        MUST(MPI_Irecv((void *)in, WORDS, MPI_INT, left, round, MPI_COMM_WORLD, &request[0]));
        MUST(MPI_Barrier(MPI_COMM_WORLD));
        MUST(MPI_Isend(out, WORDS, MPI_INT, right, round, MPI_COMM_WORLD, &request[1]));
        CHECK(came(round * 100 + left), "the message did not come while nobody was in MPI");
        MUST(MPI_Waitall(2, request, MPI_STATUSES_IGNORE));

        STEP("a long message, its send first");
        fill(round * 1000 + test_rank, -1);
        MUST(MPI_Isend(out, WORDS, MPI_INT, right, round, MPI_COMM_WORLD, &request[1]));
        MUST(MPI_Barrier(MPI_COMM_WORLD));
        MUST(MPI_Irecv((void *)in, WORDS, MPI_INT, left, round, MPI_COMM_WORLD, &request[0]));
        CHECK(came(round * 1000 + left), "the message did not come while nobody was in MPI");
        MUST(MPI_Waitall(2, request, MPI_STATUSES_IGNORE));

        STEP("a collective");
        fill(round + test_rank, -1);
        MUST(MPI_Iallreduce(out, (void *)in, WORDS, MPI_INT, MPI_MAX, MPI_COMM_WORLD, &request[0]));
        CHECK(came(round + test_size - 1), "the collective did not end while nobody was in MPI");
        MUST(MPI_Wait(&request[0], MPI_STATUS_IGNORE));
        for (i = 0; i < WORDS && in[i] == round + test_size - 1; i++) {}
        EQUAL("right words", WORDS, i);
    }
    return test_finish();
}
