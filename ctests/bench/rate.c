/* Message rate: 8-byte messages from the lower half of the ranks to the upper half, 256 outstanding.
 * usec is the time of one message of one pair; `rate_posted` has the receives posted before. */
#include "bench.h"

enum { WINDOW = 256 };
static double word[WINDOW];

static void burst(size_t bytes, int begin, int end) {
    MPI_Request request[WINDOW];
    int i, k, half = test_size / 2, n = (int)bytes;
    for (i = begin; i < end; i++) {
        if (test_rank < half) {
            int peer = test_rank + half;
            MPI_Recv(NULL, 0, MPI_BYTE, peer, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            for (k = 0; k < WINDOW; k++) MPI_Isend(&word[k], n, MPI_BYTE, peer, 1, MPI_COMM_WORLD, &request[k]);
            MPI_Waitall(WINDOW, request, MPI_STATUSES_IGNORE);
        } else if (test_rank < 2 * half) {
            int peer = test_rank - half;
            for (k = 0; k < WINDOW; k++) MPI_Irecv(&word[k], n, MPI_BYTE, peer, 1, MPI_COMM_WORLD, &request[k]);
            MPI_Send(NULL, 0, MPI_BYTE, peer, 2, MPI_COMM_WORLD);
            MPI_Waitall(WINDOW, request, MPI_STATUSES_IGNORE);
        }
    }
    /* The senders' clock is rank 0's: it must see the last message received. */
    if (test_rank < half) MPI_Recv(NULL, 0, MPI_BYTE, test_rank + half, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (test_rank >= half && test_rank < 2 * half) MPI_Send(NULL, 0, MPI_BYTE, test_rank - half, 3, MPI_COMM_WORLD);
}

static void blocking(size_t bytes, int begin, int end) {
    int i, k, half = test_size / 2, n = (int)bytes;
    for (i = begin; i < end; i++) {
        if (test_rank < half) {
            for (k = 0; k < WINDOW; k++) MPI_Send(&word[k], n, MPI_BYTE, test_rank + half, 1, MPI_COMM_WORLD);
            MPI_Recv(NULL, 0, MPI_BYTE, test_rank + half, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        } else if (test_rank < 2 * half) {
            for (k = 0; k < WINDOW; k++)
                MPI_Recv(&word[k], n, MPI_BYTE, test_rank - half, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MPI_Send(NULL, 0, MPI_BYTE, test_rank - half, 3, MPI_COMM_WORLD);
        }
    }
}

int main(int argc, char **argv) {
    bench_start(&argc, &argv);
    if (test_size < 2) MPI_Abort(MPI_COMM_WORLD, 2);
    bench_measure("rate_posted", 8, 1.0 / WINDOW, 0.4, burst);
    bench_measure("rate_blocking", 8, 1.0 / WINDOW, 0.4, blocking);
    return bench_finish();
}
