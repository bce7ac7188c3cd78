/* Operations of little data in which one rank waits for nobody, so many in a row that it runs ahead: all that it contributes comes,
 * as it was then, also when the next operation is of another kind or other ranks mean another length. Who needs nothing from others
 * returns from many calls before they have come. */
#include "../test.h"

enum { MOST = 2048, FEW = 12, CALLS = 300, KINDS = 8 };

/* Element `i` of what `rank` contributes to call `k`. */
static int value(int rank, int k, int i) { return (rank + 1) * 1000003 + k * 131 + i * 7; }

static int sum(int ranks, int k, int i) {
    int rank, all = 0;
    for (rank = 0; rank < ranks; rank++) all += value(rank, k, i);
    return all;
}

static int block(int rank, int k, int i) { return value(rank, k, i) + 17 * rank; }

static void expect(const char *what, const int *got, int count, int (*of)(int, int, int), int rank, int k) {
    int i;
    for (i = 0; i < count; i++) EQUAL(what, of(rank, k, i), got[i]);
}

/* `send` has a block for each rank. */
static void call(int kind, int k, int count, int *send, int *recv, MPI_Comm comm) {
    int i, rank;
    for (rank = 0; rank < test_size; rank++)
        for (i = 0; i < count; i++) send[rank * count + i] = kind == 3 ? block(rank, k, i) : value(test_rank, k, i);
    switch (kind) {
        case 0:
            MUST(MPI_Scan(send, recv, count, MPI_INT, MPI_SUM, comm));
            expect("scan", recv, count, sum, test_rank + 1, k);
            break;
        case 1:
            MUST(MPI_Exscan(send, recv, count, MPI_INT, MPI_SUM, comm));
            if (test_rank > 0) expect("exscan", recv, count, sum, test_rank, k);
            break;
        case 2:
            MUST(MPI_Bcast(send, count, MPI_INT, 0, comm));
            expect("bcast", send, count, value, 0, k);
            break;
        case 3:
            MUST(MPI_Scatter(send, count, MPI_INT, recv, count, MPI_INT, 0, comm));
            expect("scatter", recv, count, block, test_rank, k);
            break;
        case 4:
            MUST(MPI_Gather(send, count, MPI_INT, recv, count, MPI_INT, 0, comm));
            for (rank = 0; rank < test_size && test_rank == 0; rank++) expect("gather", recv + rank * count, count, value, rank, k);
            break;
        case 5:
            MUST(MPI_Reduce(send, recv, count, MPI_INT, MPI_SUM, 0, comm));
            if (test_rank == 0) expect("reduce", recv, count, sum, test_size, k);
            break;
        case 6:
            for (i = 0; i < count; i++) recv[i] = send[i];
            MUST(MPI_Scan(MPI_IN_PLACE, recv, count, MPI_INT, MPI_SUM, comm));
            expect("scan in place", recv, count, sum, test_rank + 1, k);
            break;
        default:
            MUST(MPI_Allreduce(send, recv, count, MPI_INT, MPI_SUM, comm));
            expect("allreduce", recv, count, sum, test_size, k);
    }
}

/* The ranks that need nothing from others make so many calls first. The others begin when they have heard of that. */
static void alone(int kind, int calls, int count, int *send, int *recv, MPI_Comm comm) {
    int rank, k, word = 0, root_needs_all = kind == 4 || kind == 5, needs = (test_rank == 0) == root_needs_all;
    MPI_Barrier(comm);
    for (rank = 0; rank < test_size; rank++)
        if (needs && (rank == 0) != root_needs_all) MUST(MPI_Recv(&word, 1, MPI_INT, rank, kind, comm, MPI_STATUS_IGNORE));
    for (k = 0; k < calls; k++) call(kind, k, count, send, recv, comm);
    for (rank = 0; rank < test_size; rank++)
        if (!needs && (rank == 0) == root_needs_all) MUST(MPI_Send(&word, 1, MPI_INT, rank, kind, comm));
}

int main(int argc, char **argv) {
    int *send, *recv, kind, k, apart = 0;
    char *near;
    MPI_Comm comm;
    test_start(&argc, &argv);
    send = test_alloc(MOST * (size_t)test_size * sizeof *send);
    recv = test_alloc(MOST * (size_t)test_size * sizeof *recv);
    MUST(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    MUST(MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN));
    STEP("one kind after the other");
    for (kind = 0; kind < KINDS; kind++)
        for (k = 0; k < CALLS; k++) call(kind, k, k % 3 ? 2 : k % (FEW + 1), send, recv, comm);
    STEP("kinds in turn");
    for (k = 0; k < CALLS; k++) call(k / 20 % KINDS, k, k % 5, send, recv, comm);
    STEP("other lengths");
    for (k = 0; k < CALLS; k++) {
        int odd = k % 30 == 29, last = test_rank == test_size - 1;
        if (!odd) {
            call(2, k, 3, send, recv, comm);
            continue;
        }
        FAILS(last ? MPI_ERR_TRUNCATE : MPI_SUCCESS, MPI_Bcast(send, last ? 1 : 2, MPI_INT, 0, comm));
    }
    STEP("nobody else has come");
    near = test_neighbours();
    for (k = 0; k < test_size; k++) apart |= !near[k];
    free(near);
    /* In an allreduce everybody needs everybody, and on several hosts the first rank of a scan may pass on what its host combines to. */
    for (kind = 0; kind < KINDS - 1; kind++) {
        if (apart && (kind == 0 || kind == 1 || kind == 6)) continue;
        alone(kind, 40, 2, send, recv, comm);
        alone(kind, 40, 30, send, recv, comm);
        alone(kind, 40, 128, send, recv, comm);
        alone(kind, 5, kind == 3 ? MOST / 2 : MOST, send, recv, comm);
    }
    MUST(MPI_Comm_free(&comm));
    free(send);
    free(recv);
    return test_finish();
}
