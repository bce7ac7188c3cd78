/* What it takes to start processes from a running program: MPI_Comm_spawn of so many workers (in place of bytes), from the call
 * until all have come through MPI_Init, and the same with their leave. */
#include "bench.h"

int main(int argc, char **argv) {
    enum { MOST = 101 };
    static const int workers[] = {1, 4};
    double spawned[MOST], all[MOST], begin;
    char op[] = "spawn", whole[] = "spawn_and_leave";
    MPI_Comm parent, inter;
    int i, rounds;
    size_t n;
    if (argc > 1 && strcmp(argv[1], "worker") == 0) {
        MPI_Init(&argc, &argv);
        MPI_Comm_get_parent(&parent);
        MPI_Barrier(parent);
        MPI_Comm_disconnect(&parent);
        MPI_Finalize();
        return 0;
    }
    bench_start(&argc, &argv);
    for (n = 0; n < sizeof workers / sizeof workers[0]; n++) {
        char *words[] = {"worker", NULL};
        double start = MPI_Wtime();
        for (rounds = 0; rounds < MOST && (rounds < 3 || MPI_Wtime() - start < bench_budget / 2); rounds++) {
            begin = MPI_Wtime();
            MPI_Comm_spawn(argv[0], words, workers[n], MPI_INFO_NULL, 0, MPI_COMM_SELF, &inter, MPI_ERRCODES_IGNORE);
            spawned[rounds] = MPI_Wtime() - begin;
            MPI_Barrier(inter);
            MPI_Comm_disconnect(&inter);
            all[rounds] = MPI_Wtime() - begin;
        }
        i = rounds;
        bench_line(op, (size_t)workers[n], bench_median(spawned, i) * 1e6, -1);
        bench_line(whole, (size_t)workers[n], bench_median(all, i) * 1e6, -1);
    }
    return bench_finish();
}
