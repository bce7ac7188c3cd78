/* Ranks 0 and 1 send to each other at once: `exchange [options] [bytes...]`, 8 bytes to 4 MiB without any; `sendrecv` by
 * MPI_Sendrecv, `pingping` by MPI_Isend, MPI_Recv and MPI_Wait. usec is the time of both messages. */
#include "bench.h"

static char *outs, *ins, *out, *in;

/* The buffers of call `i`. */
static void turn(int i, size_t bytes) {
    out = outs + bench_offset(i, bytes);
    in = ins + bench_offset(i, bytes);
}

static void sendrecv(size_t bytes, int begin, int end) {
    int i, n = (int)bytes, peer = 1 - test_rank;
    for (i = begin; i < end && test_rank < 2; i++) {
        turn(i, bytes);
        bench_compute(out, bytes);
        MPI_Sendrecv(out, n, MPI_BYTE, peer, 1, in, n, MPI_BYTE, peer, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
}

static void pingping(size_t bytes, int begin, int end) {
    int i, n = (int)bytes, peer = 1 - test_rank;
    for (i = begin; i < end && test_rank < 2; i++) {
        MPI_Request request;
        turn(i, bytes);
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
    outs = bench_pool(bench_largest);
    ins = bench_pool(bench_largest);
    for (i = 0; i < count; i++) {
        bench_measure("sendrecv", sizes[i], 1.0, 0.5 / count, sendrecv);
        bench_measure("pingping", sizes[i], 1.0, 0.5 / count, pingping);
    }
    free(outs);
    free(ins);
    return bench_finish();
}
