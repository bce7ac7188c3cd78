/* Collectives beside the application whose messages wait for room: a send that only leaves when the
 * library looks once more before it sleeps must carry its collective on all the same. Long exchanges of
 * everybody with two neighbours in two groups, more ranks than cores. */
#include "../test.h"

enum { MOST = 40000, ROUNDS = 150 };

int main(int argc, char **argv) {
    int rank, size, i, round, *counts, *from, *to, *out, *in;
    MPI_Comm half;
    MPI_Request request[2];
    test_start(&argc, &argv);
    test_watchdog(50);
    MUST(MPI_Comm_split(MPI_COMM_WORLD, test_rank % 2, 0, &half));
    MPI_Comm_rank(half, &rank);
    MPI_Comm_size(half, &size);
    counts = calloc((size_t)size, sizeof(int));
    from = calloc((size_t)size, sizeof(int));
    to = calloc((size_t)size, sizeof(int));
    out = test_alloc(2 * MOST * sizeof(int));
    in = test_alloc(2 * MOST * sizeof(int));
    for (round = 0; round < ROUNDS; round++) {
        int n = round % 2 ? MOST : 1 + round * 200, left = (rank + size - 1) % size, right = (rank + 1) % size, token = -1;
        for (i = 0; i < size; i++) counts[i] = 0;
        counts[left] = counts[right] = n;
        from[left] = to[left] = 0;
        from[right] = to[right] = n;
        for (i = 0; i < 2 * n; i++) {
            out[i] = rank * 1000 + round + i % n;
            in[i] = -1;
        }
        if (rank == 0) token = round;
        MUST(MPI_Ialltoallv(out, counts, to, MPI_INT, in, counts, from, MPI_INT, half, &request[0]));
        MUST(MPI_Ibcast(&token, 1, MPI_INT, 0, half, &request[1]));
        MUST(MPI_Wait(&request[1], MPI_STATUS_IGNORE));
        MUST(MPI_Wait(&request[0], MPI_STATUS_IGNORE));
        EQUAL("token", round, token);
        for (i = 0; i < n; i += 97) {
            EQUAL("from the left", left * 1000 + round + i, in[from[left] + i]);
            EQUAL("from the right", right * 1000 + round + i, in[from[right] + i]);
        }
    }
    free(counts);
    free(from);
    free(to);
    free(out);
    free(in);
    MUST(MPI_Comm_free(&half));
    return test_finish();
}
