/* Hello with one allreduce. The runner measures the wall time of the whole launch; the program prints
 * what it can see itself: the time inside MPI_Init, that of the first allreduce, and the memory that a rank
 * takes after it (proportional resident size, KiB, mean of the ranks; shared pages count by their share). */
#include "bench.h"
#include <time.h>

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* This process's proportional resident size in KiB, 0 where the system does not tell. */
static double proportional(void) {
    FILE *f = fopen("/proc/self/smaps_rollup", "r");
    char line[256];
    double kib = 0;
    if (f == NULL) return 0;
    while (fgets(line, sizeof line, f) != NULL)
        if (sscanf(line, "Pss: %lf", &kib) == 1) break;
    fclose(f);
    return kib;
}

int main(int argc, char **argv) {
    double begin = now(), started, reduced, kib, all = 0;
    int one = 1, sum = 0;
    test_watchdog(test_deadline);
    MPI_Init(&argc, &argv);
    started = now();
    test_started();
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    reduced = now();
    /* Nobody leaves the second allreduce, and with it the memory that it shares, before all have looked. */
    kib = proportional();
    MPI_Allreduce(&kib, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    if (sum != test_size) {
        printf("rank %d: allreduce gave %d of %d\n", test_rank, sum, test_size);
        return 1;
    }
    if (test_rank == 0) {
        bench_line("init", 0, (started - begin) * 1e6, -1);
        bench_line("first_allreduce", 4, (reduced - started) * 1e6, -1);
        if (all > 0) printf("memory_kib 0 %d %.1f\n", test_size, all / test_size);
    }
    return bench_finish();
}
