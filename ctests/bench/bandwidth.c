/* Windowed one-way bandwidth from rank 0 to rank 1: `bandwidth [options] [bytes...]`, 1 byte to 4 MiB without any; 64
 * messages outstanding, then one word back.
 * usec is the time of one message; bytes / usec is MB/s. */
#include "bench.h"

enum { WINDOW = 64 };
static char *buffer;

static void window(size_t bytes, int count) {
    MPI_Request request[WINDOW];
    int i, k, n = (int)bytes;
    for (i = 0; i < count; i++) {
        if (test_rank == 0) {
            bench_compute(buffer, bytes);
            for (k = 0; k < WINDOW; k++) MPI_Isend(buffer, n, MPI_BYTE, 1, 1, MPI_COMM_WORLD, &request[k]);
            MPI_Waitall(WINDOW, request, MPI_STATUSES_IGNORE);
            MPI_Recv(NULL, 0, MPI_BYTE, 1, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        } else if (test_rank == 1) {
            for (k = 0; k < WINDOW; k++) MPI_Irecv(buffer, n, MPI_BYTE, 0, 1, MPI_COMM_WORLD, &request[k]);
            MPI_Waitall(WINDOW, request, MPI_STATUSES_IGNORE);
            MPI_Send(NULL, 0, MPI_BYTE, 0, 2, MPI_COMM_WORLD);
        }
    }
}

int main(int argc, char **argv) {
    size_t sizes[BENCH_SIZES] = {1};
    int i, count, first = bench_start(&argc, &argv);
    if (test_size < 2) MPI_Abort(MPI_COMM_WORLD, 2);
    count = bench_sizes(argc, argv, first, sizes);
    buffer = test_alloc(bench_largest);
    memset(buffer, 1, bench_largest);
    for (i = 0; i < count; i++) bench_measure("bandwidth", sizes[i], 1.0 / WINDOW, 1.0 / count, window);
    free(buffer);
    return bench_finish();
}
