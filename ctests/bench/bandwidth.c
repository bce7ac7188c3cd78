/* Windows of messages between ranks 0 and 1: `bandwidth [options] [bytes...]`, 1 byte to 4 MiB without any; `bandwidth` has 64
 * from rank 0 to rank 1 outstanding, then one word comes back; `bandwidth_both` has 64 each way at once.
 * usec is the time of one message, or of one each way; bytes / usec is MB/s. */
#include "bench.h"

enum { WINDOW = 64 };
static char *outs, *ins;

static void one_way(size_t bytes, int begin, int end) {
    MPI_Request request[WINDOW];
    int i, k, n = (int)bytes;
    for (i = begin; i < end; i++) {
        if (test_rank == 0) {
            char *out = outs + bench_offset(i, bytes);
            bench_compute(out, bytes);
            for (k = 0; k < WINDOW; k++) MPI_Isend(out, n, MPI_BYTE, 1, 1, MPI_COMM_WORLD, &request[k]);
            MPI_Waitall(WINDOW, request, MPI_STATUSES_IGNORE);
            MPI_Recv(NULL, 0, MPI_BYTE, 1, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        } else if (test_rank == 1) {
            char *in = ins + bench_offset(i, bytes);
            for (k = 0; k < WINDOW; k++) MPI_Irecv(in, n, MPI_BYTE, 0, 1, MPI_COMM_WORLD, &request[k]);
            MPI_Waitall(WINDOW, request, MPI_STATUSES_IGNORE);
            MPI_Send(NULL, 0, MPI_BYTE, 0, 2, MPI_COMM_WORLD);
        }
    }
}

static void both_ways(size_t bytes, int begin, int end) {
    MPI_Request request[2 * WINDOW];
    int i, k, n = (int)bytes, peer = 1 - test_rank;
    for (i = begin; i < end && test_rank < 2; i++) {
        char *out = outs + bench_offset(i, bytes), *in = ins + bench_offset(i, bytes);
        bench_compute(out, bytes);
        for (k = 0; k < WINDOW; k++) MPI_Irecv(in, n, MPI_BYTE, peer, 1, MPI_COMM_WORLD, &request[k]);
        for (k = 0; k < WINDOW; k++) MPI_Isend(out, n, MPI_BYTE, peer, 1, MPI_COMM_WORLD, &request[WINDOW + k]);
        MPI_Waitall(2 * WINDOW, request, MPI_STATUSES_IGNORE);
    }
}

int main(int argc, char **argv) {
    size_t sizes[BENCH_SIZES] = {1};
    int i, count, first = bench_start(&argc, &argv);
    if (test_size < 2) MPI_Abort(MPI_COMM_WORLD, 2);
    count = bench_sizes(argc, argv, first, sizes);
    outs = bench_pool(bench_largest);
    ins = bench_pool(bench_largest);
    for (i = 0; i < count; i++) {
        bench_measure("bandwidth", sizes[i], 1.0 / WINDOW, 0.5 / count, one_way);
        bench_measure("bandwidth_both", sizes[i], 1.0 / WINDOW, 0.5 / count, both_ways);
    }
    free(outs);
    free(ins);
    return bench_finish();
}
