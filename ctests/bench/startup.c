/* Hello with one allreduce. The runner measures the wall time of the whole launch; the program prints
 * what it can see itself: the time inside MPI_Init and that of the first allreduce. */
#include "bench.h"
#include <time.h>

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int main(int argc, char **argv) {
    double begin = now(), started, reduced;
    int one = 1, sum = 0;
    test_watchdog(test_deadline);
    MPI_Init(&argc, &argv);
    started = now();
    test_started();
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    reduced = now();
    if (sum != test_size) {
        printf("rank %d: allreduce gave %d of %d\n", test_rank, sum, test_size);
        return 1;
    }
    if (test_rank == 0) {
        printf("init 0 %d %.4f\n", test_size, (started - begin) * 1e6);
        printf("first_allreduce 4 %d %.4f\n", test_size, (reduced - started) * 1e6);
    }
    return bench_finish();
}
