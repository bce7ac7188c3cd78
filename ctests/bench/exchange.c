/* Ranks 0 and 1 send to each other at once: `exchange [options] [bytes...]`, 8 bytes to 4 MiB without any; `sendrecv` by
 * MPI_Sendrecv, `pingping` by MPI_Isend, MPI_Recv and MPI_Wait. usec is the time of both messages. */
#include "bench.h"

static char *out, *in;

static void sendrecv(size_t bytes, int count) {
    int i, n = (int)bytes, peer = 1 - test_rank;
    for (i = 0; i < count && test_rank < 2; i++) {
        bench_compute(out, bytes);
        MPI_Sendrecv(out, n, MPI_BYTE, peer, 1, in, n, MPI_BYTE, peer, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
}

static void pingping(size_t bytes, int count) {
    int i, n = (int)bytes, peer = 1 - test_rank;
    for (i = 0; i < count && test_rank < 2; i++) {
        MPI_Request request;
        bench_compute(out, bytes);
        MPI_Isend(out, n, MPI_BYTE, peer, 1, MPI_COMM_WORLD, &request);
        MPI_Recv(in, n, MPI_BYTE, peer, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
}

int main(int argc, char **argv) {
    size_t sizes[BENCH_SIZES] = {8};
    int i, count, first = bench_start(&argc, &argv);
    if (test_size < 2) MPI_Abort(MPI_COMM_WORLD, 2);
    count = bench_sizes(argc, argv, first, sizes);
    out = test_alloc(bench_largest);
    in = test_alloc(bench_largest);
    memset(out, 1, bench_largest);
    memset(in, 1, bench_largest);
    for (i = 0; i < count; i++) {
        bench_measure("sendrecv", sizes[i], 1.0, 0.5 / count, sendrecv);
        bench_measure("pingping", sizes[i], 1.0, 0.5 / count, pingping);
    }
    free(out);
    free(in);
    return bench_finish();
}
