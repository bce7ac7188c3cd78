/* What a long wait costs. `wake`: rank 1 has waited in MPI_Recv for 60 ms when rank 0 sends, and answers at
 * once; the time from the send to the answer's arrival. `wake_barrier`: all others have waited in MPI_Barrier
 * for as long; rank 0's time in it. `idle_cpu`: processor time of rank 1 for each second of a wait in MPI_Recv, so
 * 10000 is 1 % of a core. */
#include "bench.h"
#include <sys/resource.h>
#include <time.h>

static void pause_for(long milliseconds) {
    struct timespec time;
    time.tv_sec = milliseconds / 1000;
    time.tv_nsec = milliseconds % 1000 * 1000000;
    nanosleep(&time, NULL);
}

static double used(void) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)usage.ru_utime.tv_sec + (double)usage.ru_stime.tv_sec +
           1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

static double answer(void) {
    double begin = MPI_Wtime();
    int word = 1;
    MPI_Send(&word, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
    MPI_Recv(&word, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return MPI_Wtime() - begin;
}

static double meet(void) {
    double begin = MPI_Wtime();
    MPI_Barrier(MPI_COMM_WORLD);
    return MPI_Wtime() - begin;
}

/* Rank 0 is late for everything, and prints the median. */
static void waking(const char *op, double (*late)(void), void (*others)(void)) {
    double times[BENCH_ROUNDS];
    int i;
    for (i = 0; i < bench_rounds; i++) {
        if (test_rank == 0) {
            pause_for(60);
            times[i] = late();
        } else {
            others();
        }
    }
    if (test_rank != 0) return;
    bench_line(op, 0, bench_median(times, bench_rounds) * 1e6, -1);
    fflush(stdout);
}

static void reply(void) {
    int word;
    if (test_rank != 1) return;
    MPI_Recv(&word, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(&word, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
}

static void join(void) { MPI_Barrier(MPI_COMM_WORLD); }

int main(int argc, char **argv) {
    int word = 0;
    bench_start(&argc, &argv);
    if (test_size < 2) MPI_Abort(MPI_COMM_WORLD, 2);
    waking("wake", answer, reply);
    waking("wake_barrier", meet, join);
    MPI_Barrier(MPI_COMM_WORLD);
    if (test_rank == 0) {
        double cost;
        pause_for(1500);
        MPI_Send(&word, 1, MPI_INT, 1, 2, MPI_COMM_WORLD);
        MPI_Recv(&cost, 1, MPI_DOUBLE, 1, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        bench_line("idle_cpu", 0, cost * 1e6, -1);
        fflush(stdout);
    } else if (test_rank == 1) {
        double begin = MPI_Wtime(), before = used(), cost;
        MPI_Recv(&word, 1, MPI_INT, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        cost = (used() - before) / (MPI_Wtime() - begin);
        MPI_Send(&cost, 1, MPI_DOUBLE, 0, 2, MPI_COMM_WORLD);
    }
    return bench_finish();
}
