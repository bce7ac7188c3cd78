/* Ping-pong between ranks 0 and 1: `latency [options] [bytes...]`, one-way time, 0 bytes to 4 MiB without any. Further ranks
 * only take part in the barriers between rounds, which is what an application's other ranks would do: wait. */
#include "bench.h"

static char *buffer;

static void ping_pong(size_t bytes, int count) {
    int i, n = (int)bytes;
    if (test_rank == 0)
        for (i = 0; i < count; i++) {
            bench_compute(buffer, bytes);
            MPI_Send(buffer, n, MPI_BYTE, 1, 1, MPI_COMM_WORLD);
            MPI_Recv(buffer, n, MPI_BYTE, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
    else if (test_rank == 1)
        for (i = 0; i < count; i++) {
            MPI_Recv(buffer, n, MPI_BYTE, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            bench_compute(buffer, bytes);
            MPI_Send(buffer, n, MPI_BYTE, 0, 1, MPI_COMM_WORLD);
        }
}

int main(int argc, char **argv) {
    size_t bytes;
    int i, first = bench_start(&argc, &argv);
    if (test_size < 2) MPI_Abort(MPI_COMM_WORLD, 2);
    for (i = first; i < argc; i++) {
        if (argv[i][strspn(argv[i], "0123456789")] != 0) {
            if (test_rank == 0) fprintf(stderr, "not a number of bytes: %s\n", argv[i]);
            MPI_Abort(MPI_COMM_WORLD, 2);
        }
        if ((bytes = (size_t)atoll(argv[i])) > bench_largest) bench_largest = bytes;
    }
    buffer = test_alloc(bench_largest);
    memset(buffer, 1, bench_largest);
    for (i = first; i < argc; i++) bench_measure("latency", (size_t)atoll(argv[i]), 0.5, 1.0 / (argc - first), ping_pong);
    if (first == argc) {
        bench_measure("latency", 0, 0.5, 0.08, ping_pong);
        bench_measure("latency", 1, 0.5, 0.08, ping_pong);
        for (bytes = 8; bytes <= bench_largest; bytes = bench_next(bytes)) bench_measure("latency", bytes, 0.5, 0.075, ping_pong);
    }
    free(buffer);
    return bench_finish();
}
