/* Long blocks again and again, so that each way of copying them has its turn and is chosen: MPI_Gather, MPI_Scatter,
 * MPI_Allgather, MPI_Alltoall and MPI_Reduce (in place too), MPI_Sendrecv and messages one way, of lengths around those where
 * the ways change. Nothing waits between two calls, so a fast rank is ahead; every word is new each time. */
#include "../test.h"

enum { TIMES = 120, MOST = 50001 };

static int rank, size;
static int *out, *in;

/* What `from` has for `to` in a round. */
static int word(int round, int from, int to, int i) { return round * 7919 + from * 104729 + to * 1299709 + i; }

static void fill(int *at, int round, int to, int n) {
    int i;
    for (i = 0; i < n; i++) at[i] = word(round, rank, to, i);
}

/* Says of the first wrong word alone. */
static void look(const char *what, const int *at, int round, int from, int to, int n) {
    int i;
    for (i = 0; i < n; i++)
        if (at[i] != word(round, from, to, i)) {
            CHECK(0, "%s of %d words, round %d: from %d word %d: expected %d, got %d", what, n, round, from, i,
                  word(round, from, to, i), at[i]);
            return;
        }
}

static void blocks(MPI_Comm comm, int n) {
    int round, r;
    for (round = 0; round < TIMES; round++) {
        int root = round % 3 == 0 ? round % size : 0;
        fill(out, round, root, n);
        MUST(MPI_Gather(out, n, MPI_INT, in, n, MPI_INT, root, comm));
        for (r = 0; rank == root && r < size; r++) look("gather", in + r * n, round, r, root, n);
    }
    for (round = 0; round < TIMES; round++) {
        int root = round % 3 == 0 ? round % size : 0;
        for (r = 0; rank == root && r < size; r++) fill(out + r * n, round, r, n);
        MUST(MPI_Scatter(out, n, MPI_INT, in, n, MPI_INT, root, comm));
        look("scatter", in, round, root, rank, n);
    }
    for (round = 0; round < TIMES; round++) {
        fill(out, round, 0, n);
        MUST(MPI_Allgather(out, n, MPI_INT, in, n, MPI_INT, comm));
        for (r = 0; r < size; r++) look("allgather", in + r * n, round, r, 0, n);
    }
    for (round = 0; round < TIMES; round++) {
        int in_place = round % 5 == 4;
        for (r = 0; r < size; r++) fill((in_place ? in : out) + r * n, round, r, n);
        MUST(MPI_Alltoall(in_place ? MPI_IN_PLACE : (void *)out, n, MPI_INT, in, n, MPI_INT, comm));
        for (r = 0; r < size; r++) look("alltoall", in + r * n, round, r, rank, n);
    }
}

/* Every bit of the result depends on every rank's. */
static void reductions(MPI_Comm comm, int n) {
    int round, r, i;
    for (round = 0; round < TIMES; round++) {
        int root = round % 3 == 0 ? round % size : 0;
        int in_place = rank == root && round % 5 == 4;
        fill(in_place ? in : out, round, root, n);
        MUST(MPI_Reduce(in_place ? MPI_IN_PLACE : (void *)out, in, n, MPI_INT, MPI_BXOR, root, comm));
        for (i = 0; rank == root && i < n; i++) {
            int expected = 0;
            for (r = 0; r < size; r++) expected ^= word(round, r, root, i);
            if (in[i] != expected) {
                CHECK(0, "reduce of %d words, round %d: word %d: expected %d, got %d", n, round, i, expected, in[i]);
                break;
            }
        }
    }
}

static void messages(MPI_Comm comm, int n) {
    int round, next = (rank + 1) % size, last = (rank + size - 1) % size;
    for (round = 0; round < TIMES; round++) {
        fill(out, round, next, n);
        MUST(MPI_Sendrecv(out, n, MPI_INT, next, 1, in, n, MPI_INT, last, 1, comm, MPI_STATUS_IGNORE));
        look("sendrecv", in, round, last, rank, n);
    }
    /* Rank 0 is ahead of rank 1, and its messages come before they are wanted; then not. */
    for (round = 0; round < TIMES && rank < 2 && size > 1; round++) {
        if (round % 10 == 0 && round >= TIMES / 2)
            MUST(MPI_Sendrecv(NULL, 0, MPI_INT, 1 - rank, 3, NULL, 0, MPI_INT, 1 - rank, 3, comm, MPI_STATUS_IGNORE));
        if (rank == 0) {
            fill(out, round, 1, n);
            MUST(MPI_Send(out, n, MPI_INT, 1, 2, comm));
        } else {
            MUST(MPI_Recv(in, n, MPI_INT, 0, 2, comm, MPI_STATUS_IGNORE));
            look("message", in, round, 0, 1, n);
        }
    }
}

int main(int argc, char **argv) {
    /* 12, 16, 32, 64 and 128 KiB, and beyond. */
    static const int counts[] = {2500, 3072, 4096, 4097, 8192, 12000, 16384, 16385, 32768, 32769, MOST};
    size_t c;
    test_start(&argc, &argv);
    rank = test_rank;
    size = test_size;
    out = test_alloc((size_t)size * MOST * sizeof(int));
    in = test_alloc((size_t)size * MOST * sizeof(int));
    for (c = 0; c < sizeof counts / sizeof *counts; c++) {
        blocks(MPI_COMM_WORLD, counts[c]);
        reductions(MPI_COMM_WORLD, counts[c]);
        messages(MPI_COMM_WORLD, counts[c]);
    }
    free(out);
    free(in);
    return test_finish();
}
