/* Collectives that move nothing, as each rank knows by its own arguments, meet nobody: one rank goes through a
 * thousand of each while the others wait for a message that it sends only then. Afterwards the communicator
 * works as before. Wrong arguments are errors all the same. */
#include "../test.h"
#include "../errors/quiet.h"

enum { TIMES = 1000, KINDS = 16 };

static MPI_Datatype nothing;
static int counts[64], displs[64];

/* One of the calls, each in one of its ways of being empty. Of an inter-communicator not all exist. */
static int call(int kind, MPI_Comm comm, int root, int inter) {
    static int a[64], b[64];
    int zero = kind % 2;
    int n = zero ? 0 : 3;
    MPI_Datatype type = zero ? MPI_INT : nothing;
    switch (kind) {
        case 0: case 1: return MPI_Bcast(a, n, type, root, comm);
        case 2: case 3: return MPI_Gather(a, n, type, b, n, type, root, comm);
        case 4: case 5: return MPI_Scatter(a, n, type, b, n, type, root, comm);
        case 6: case 7: return MPI_Allgather(a, n, type, b, n, type, comm);
        case 8: case 9: return MPI_Alltoall(a, n, type, b, n, type, comm);
        case 10: return MPI_Reduce(a, b, 0, MPI_INT, MPI_SUM, root, comm);
        case 11: return MPI_Allreduce(a, b, 0, MPI_INT, MPI_SUM, comm);
        case 12: return MPI_Reduce_scatter(a, b, counts, MPI_INT, MPI_SUM, comm);
        case 13: return MPI_Reduce_scatter_block(a, b, 0, MPI_INT, MPI_SUM, comm);
        case 14: return inter ? MPI_SUCCESS : MPI_Allgatherv(a, n, type, b, counts, displs, type, comm);
        default: return inter ? MPI_SUCCESS : MPI_Exscan(a, b, 0, MPI_INT, MPI_SUM, comm) + MPI_Scan(a, b, 0, MPI_INT, MPI_SUM, comm);
    }
}

static int start(int kind, MPI_Comm comm, MPI_Request *request) {
    static int a[64], b[64];
    MPI_Datatype type = kind % 2 ? MPI_INT : nothing;
    int n = kind % 2 ? 0 : 3;
    switch (kind) {
        case 0: case 1: return MPI_Ibcast(a, n, type, 0, comm, request);
        case 2: case 3: return MPI_Igather(a, n, type, b, n, type, 0, comm, request);
        case 4: case 5: return MPI_Iscatter(a, n, type, b, n, type, 0, comm, request);
        case 6: case 7: return MPI_Iallgather(a, n, type, b, n, type, comm, request);
        case 8: case 9: return MPI_Ialltoall(a, n, type, b, n, type, comm, request);
        case 10: return MPI_Ireduce(a, b, 0, MPI_INT, MPI_SUM, 0, comm, request);
        case 11: return MPI_Iallreduce(a, b, 0, MPI_INT, MPI_SUM, comm, request);
        case 12: return MPI_Ireduce_scatter(a, b, counts, MPI_INT, MPI_SUM, comm, request);
        case 13: return MPI_Ireduce_scatter_block(a, b, 0, MPI_INT, MPI_SUM, comm, request);
        case 14: return MPI_Iallgatherv(a, n, type, b, counts, displs, type, comm, request);
        default: return MPI_Iscan(a, b, 0, MPI_INT, MPI_SUM, comm, request);
    }
}

#if MPI_VERSION >= 4
static int prepare(int kind, MPI_Comm comm, MPI_Request *request) {
    static int a[64], b[64];
    switch (kind) {
        case 0: return MPI_Bcast_init(a, 0, MPI_INT, 0, comm, MPI_INFO_NULL, request);
        case 1: return MPI_Alltoall_init(a, 0, MPI_INT, b, 0, MPI_INT, comm, MPI_INFO_NULL, request);
        case 2: return MPI_Allreduce_init(a, b, 0, MPI_INT, MPI_SUM, comm, MPI_INFO_NULL, request);
        case 3: return MPI_Gather_init(a, 3, nothing, b, 3, nothing, 0, comm, MPI_INFO_NULL, request);
        default: return MPI_Exscan_init(a, b, 0, MPI_INT, MPI_SUM, comm, MPI_INFO_NULL, request);
    }
}
#endif

static int neighbors(int kind, MPI_Comm comm) {
    static int a[64], b[64];
    switch (kind) {
        case 0: return MPI_Neighbor_allgather(a, 0, MPI_INT, b, 0, MPI_INT, comm);
        case 1: return MPI_Neighbor_alltoall(a, 3, nothing, b, 3, nothing, comm);
        case 2: return MPI_Neighbor_allgatherv(a, 0, MPI_INT, b, counts, displs, MPI_INT, comm);
        default: return MPI_Neighbor_alltoallv(a, counts, displs, MPI_INT, b, counts, displs, MPI_INT, comm);
    }
}

/* The root of a call on an inter-communicator, as `first`'s group sees it. */
static int root_of(MPI_Comm comm, int first) {
    int rank, mine = first % 2 == test_rank % 2;
    MPI_Comm_rank(comm, &rank);
    return !mine ? 0 : rank == 0 ? MPI_ROOT : MPI_PROC_NULL;
}

/* All that is empty, `first` alone at first. */
static void alone(int first, MPI_Comm comm, MPI_Comm inter, MPI_Comm grid) {
    int kind, i;
    MPI_Request request;
    STEP("waiting for the first");
    if (test_rank != first) MUST(MPI_Recv(NULL, 0, MPI_INT, first, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    STEP("blocking");
    for (kind = 0; kind < KINDS; kind++)
        for (i = 0; i < TIMES; i++) MUST(call(kind, comm, i % test_size, 0));
    STEP("in place");
    for (i = 0; i < TIMES; i++) MUST(MPI_Allreduce(MPI_IN_PLACE, NULL, 0, MPI_INT, MPI_SUM, comm));
    STEP("nonblocking");
    for (kind = 0; kind < KINDS; kind++)
        for (i = 0; i < TIMES; i++) {
            MUST(start(kind, comm, &request));
            MUST(MPI_Wait(&request, MPI_STATUS_IGNORE));
        }
#if MPI_VERSION >= 4
    STEP("persistent");
    for (kind = 0; kind < 5; kind++) {
        MUST(prepare(kind, comm, &request));
        for (i = 0; i < TIMES; i++) {
            MUST(MPI_Start(&request));
            MUST(MPI_Wait(&request, MPI_STATUS_IGNORE));
        }
        MUST(MPI_Request_free(&request));
    }
#endif
    STEP("neighbours");
    for (kind = 0; kind < 4; kind++)
        for (i = 0; i < TIMES; i++) MUST(neighbors(kind, grid));
    STEP("between groups");
    if (inter != MPI_COMM_NULL)
        for (kind = 0; kind < KINDS; kind++)
            for (i = 0; i < TIMES; i++) MUST(call(kind, inter, root_of(inter, i), 1));
    STEP("the others' turn");
    if (test_rank == first)
        for (i = 0; i < test_size; i++)
            if (i != first) MUST(MPI_Send(NULL, 0, MPI_INT, i, 1, MPI_COMM_WORLD));
}

/* Everybody is in step. */
static void works(MPI_Comm comm, MPI_Comm inter, MPI_Comm grid) {
    int sum, i, size, out[2], in[2] = {-1, -1}, others;
    STEP("in step");
    for (i = 0; i < 5; i++) {
        MPI_Request request;
        MUST(MPI_Allreduce(&test_rank, &sum, 1, MPI_INT, MPI_SUM, comm));
        EQUAL("sum", test_size * (test_size - 1) / 2, sum);
        MUST(MPI_Iallreduce(&test_rank, &sum, 1, MPI_INT, MPI_SUM, comm, &request));
        MUST(MPI_Wait(&request, MPI_STATUS_IGNORE));
        EQUAL("sum", test_size * (test_size - 1) / 2, sum);
        out[0] = out[1] = test_rank;
        MUST(MPI_Neighbor_alltoall(out, 1, MPI_INT, in, 1, MPI_INT, grid));
        EQUAL("below", (test_rank + test_size - 1) % test_size, in[0]);
        EQUAL("above", (test_rank + 1) % test_size, in[1]);
        if (inter == MPI_COMM_NULL) continue;
        MUST(MPI_Comm_remote_size(inter, &size));
        others = 1;
        MUST(MPI_Allreduce(&others, &sum, 1, MPI_INT, MPI_SUM, inter));
        EQUAL("the other group's sum", size, sum);
    }
}

int main(int argc, char **argv) {
    MPI_Comm comm, inter = MPI_COMM_NULL, grid, half;
    int ring = 1, first, a = 0, b = 0;
    test_start(&argc, &argv);
    MUST(MPI_Type_contiguous(0, MPI_INT, &nothing));
    MUST(MPI_Type_commit(&nothing));
    MUST(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    MUST(MPI_Cart_create(MPI_COMM_WORLD, 1, &test_size, &ring, 0, &grid));
    MUST(MPI_Comm_split(MPI_COMM_WORLD, test_rank % 2, test_rank, &half));
    if (test_size > 1) MUST(MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - test_rank % 2, 9, &inter));
    for (first = 0; first < test_size; first++) {
        alone(first, comm, inter, grid);
        works(comm, inter, grid);
    }
    errors_return();
    MUST(MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN));
    STEP("errors");
    FAILS(MPI_ERR_ROOT, MPI_Bcast(&a, 0, MPI_INT, test_size, comm));
    FAILS(MPI_ERR_TYPE, MPI_Bcast(&a, 0, MPI_DATATYPE_NULL, 0, comm));
    FAILS(MPI_ERR_COUNT, MPI_Allgather(&a, -1, MPI_INT, &b, 0, MPI_INT, comm));
    FAILS(MPI_ERR_OP, MPI_Allreduce(&a, &b, 0, MPI_INT, MPI_OP_NULL, comm));
    FAILS(MPI_ERR_OP, MPI_Scan(&a, &b, 0, MPI_FLOAT, MPI_BAND, comm));
    if (inter != MPI_COMM_NULL) MUST(MPI_Comm_free(&inter));
    MUST(MPI_Comm_free(&half));
    MUST(MPI_Comm_free(&grid));
    MUST(MPI_Comm_free(&comm));
    MUST(MPI_Type_free(&nothing));
    return test_finish();
}
