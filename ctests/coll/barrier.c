/* MPI_Barrier: nobody leaves before the last one came. Each rank in turn comes late; the others look
 * at the clock. Also many in a row, and between differing communicators. */
#include "../test.h"
#include "comms.h"
#include <time.h>

/* Not MPI_Wtime: its zero may differ from rank to rank, this clock is the machine's. */
static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void body(MPI_Comm comm) {
    int late, i;
    for (late = 0; late < size; late++) {
        double entered, left, last;
        MUST(MPI_Barrier(comm));
        if (rank == late) {
            struct timespec t;
            t.tv_sec = 0, t.tv_nsec = 10 * 1000000;
            nanosleep(&t, NULL);
        }
        entered = now();
        MUST(MPI_Barrier(comm));
        left = now();
        last = entered;
        MUST(MPI_Bcast(&last, 1, MPI_DOUBLE, late, comm));
        CHECK(left >= last, "left the barrier %g s before rank %d entered it", last - left, late);
    }
    for (i = 0; i < 50; i++) MUST(MPI_Barrier(comm));
}

int main(int argc, char **argv) {
    test_start(&argc, &argv);
    on_comms(body);
    return test_finish();
}
