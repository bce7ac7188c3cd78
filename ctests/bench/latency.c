/* Ping-pong between ranks 0 and 1: `latency [options] [bytes...]`, one-way time, 0 bytes to 4 MiB without any. Further ranks
 * only take part in the barriers between rounds, which is what an application's other ranks would do: wait. */
#include "bench.h"

static char *pool;

static void ping_pong(size_t bytes, int begin, int end) {
    int i, n = (int)bytes;
    char *buffer;
    if (test_rank == 0)
        for (i = begin; i < end; i++) {
            buffer = pool + bench_offset(i, bytes);
            bench_compute(buffer, bytes);
            MPI_Send(buffer, n, MPI_BYTE, 1, 1, MPI_COMM_WORLD);
            MPI_Recv(buffer, n, MPI_BYTE, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
    else if (test_rank == 1)
        for (i = begin; i < end; i++) {
            buffer = pool + bench_offset(i, bytes);
            MPI_Recv(buffer, n, MPI_BYTE, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            bench_compute(buffer, bytes);
            MPI_Send(buffer, n, MPI_BYTE, 0, 1, MPI_COMM_WORLD);
        }
}

int main(int argc, char **argv) {
    size_t sizes[BENCH_SIZES] = {0};
    int i, count, first = bench_start(&argc, &argv);
    if (test_size < 2) MPI_Abort(MPI_COMM_WORLD, 2);
    count = bench_sizes(argc, argv, first, sizes);
    pool = bench_pool(bench_largest);
    for (i = 0; i < count; i++) bench_measure("latency", sizes[i], 0.5, 1.0 / count, ping_pong);
    free(pool);
    return bench_finish();
}
