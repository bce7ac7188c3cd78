/* The non-blocking collectives: each alone, then many in flight on one communicator and on two,
 * completed in any order and mixed with point-to-point, which must not match them. */
#include "../test.h"
#include "comms.h"

enum { N = 700 };
static int word(int r, int i) { return r * 1000 + i; }

static void finish(MPI_Request *request) {
    int flag = 0;
    if (rank % 2)
        while (!flag) MUST(MPI_Test(request, &flag, MPI_STATUS_IGNORE));
    else
        MUST(MPI_Wait(request, MPI_STATUS_IGNORE));
    CHECK(*request == MPI_REQUEST_NULL, "request left");
}

static void each(MPI_Comm comm) {
    size_t all = (size_t)(N * size);
    int *a = test_alloc(all * sizeof(int)), *b = test_alloc(all * sizeof(int));
    int *v = test_alloc((size_t)(2 * size) * sizeof(int)), *counts = v, *places = v + size, i, r, root;
    MPI_Datatype *types = test_alloc((size_t)size * sizeof(MPI_Datatype));
    MPI_Request request;
    for (r = 0; r < size; r++) counts[r] = N, places[r] = r * N, types[r] = MPI_INT;
    MUST(MPI_Ibarrier(comm, &request));
    finish(&request);
    for (root = 0; root < size; root++) {
        for (i = 0; i < N; i++) a[i] = rank == root ? word(root, i) : -1;
        MUST(MPI_Ibcast(a, N, MPI_INT, root, comm, &request));
        finish(&request);
        for (i = 0; i < N; i++) EQUAL("ibcast", word(root, i), a[i]);
        for (i = 0; i < N; i++) a[i] = word(rank, i), b[i] = -1;
        MUST(MPI_Ireduce(a, b, N, MPI_INT, MPI_SUM, root, comm, &request));
        finish(&request);
        for (i = 0; i < N && rank == root; i++) EQUAL("ireduce", 1000 * (size * (size - 1) / 2) + size * i, b[i]);
        MUST(MPI_Igather(a, N, MPI_INT, b, N, MPI_INT, root, comm, &request));
        finish(&request);
        for (i = 0; i < N * size && rank == root; i++) EQUAL("igather", word(i / N, i % N), b[i]);
        MUST(MPI_Igatherv(a, N, MPI_INT, b, counts, places, MPI_INT, root, comm, &request));
        finish(&request);
        for (i = 0; i < N * size && rank == root; i++) EQUAL("igatherv", word(i / N, i % N), b[i]);
        for (i = 0; i < N; i++) a[i] = -1;
        MUST(MPI_Iscatter(b, N, MPI_INT, a, N, MPI_INT, root, comm, &request));
        finish(&request);
        for (i = 0; i < N; i++) EQUAL("iscatter", word(rank, i), a[i]), a[i] = -1;
        MUST(MPI_Iscatterv(b, counts, places, MPI_INT, a, N, MPI_INT, root, comm, &request));
        finish(&request);
        for (i = 0; i < N; i++) EQUAL("iscatterv", word(rank, i), a[i]);
    }
    for (i = 0; i < N * size; i++) a[i] = word(rank, i), b[i] = -1;
    MUST(MPI_Iallreduce(a, b, N, MPI_INT, MPI_MAX, comm, &request));
    finish(&request);
    for (i = 0; i < N; i++) EQUAL("iallreduce", word(size - 1, i), b[i]);
    MUST(MPI_Iscan(a, b, N, MPI_INT, MPI_MAX, comm, &request));
    finish(&request);
    for (i = 0; i < N; i++) EQUAL("iscan", word(rank, i), b[i]);
    MUST(MPI_Iexscan(a, b, N, MPI_INT, MPI_MAX, comm, &request));
    finish(&request);
    for (i = 0; i < N && rank > 0; i++) EQUAL("iexscan", word(rank - 1, i), b[i]);
    MUST(MPI_Ireduce_scatter_block(a, b, N, MPI_INT, MPI_MAX, comm, &request));
    finish(&request);
    for (i = 0; i < N; i++) EQUAL("ireduce_scatter_block", word(size - 1, rank * N + i), b[i]);
    MUST(MPI_Ireduce_scatter(a, b, counts, MPI_INT, MPI_MAX, comm, &request));
    finish(&request);
    for (i = 0; i < N; i++) EQUAL("ireduce_scatter", word(size - 1, rank * N + i), b[i]);
    MUST(MPI_Iallgather(a, N, MPI_INT, b, N, MPI_INT, comm, &request));
    finish(&request);
    for (i = 0; i < N * size; i++) EQUAL("iallgather", word(i / N, i % N), b[i]), b[i] = -1;
    MUST(MPI_Iallgatherv(a, N, MPI_INT, b, counts, places, MPI_INT, comm, &request));
    finish(&request);
    for (i = 0; i < N * size; i++) EQUAL("iallgatherv", word(i / N, i % N), b[i]), b[i] = -1;
    MUST(MPI_Ialltoall(a, N, MPI_INT, b, N, MPI_INT, comm, &request));
    finish(&request);
    for (i = 0; i < N * size; i++) EQUAL("ialltoall", word(i / N, rank * N + i % N), b[i]), b[i] = -1;
    MUST(MPI_Ialltoallv(a, counts, places, MPI_INT, b, counts, places, MPI_INT, comm, &request));
    finish(&request);
    for (i = 0; i < N * size; i++) EQUAL("ialltoallv", word(i / N, rank * N + i % N), b[i]), b[i] = -1;
    for (r = 0; r < size; r++) places[r] *= (int)sizeof(int);
    MUST(MPI_Ialltoallw(a, counts, places, types, b, counts, places, types, comm, &request));
    finish(&request);
    for (i = 0; i < N * size; i++) EQUAL("ialltoallw", word(i / N, rank * N + i % N), b[i]);
    free(a);
    free(b);
    free(v);
    free(types);
}

static void flight(MPI_Comm comm) {
    enum { MANY = 24 };
    static int out[MANY][N], in[MANY][N];
    MPI_Request request[MANY], message[2];
    MPI_Comm other;
    int k, i, got = -1, index;
    MUST(MPI_Comm_dup(comm, &other));
    MUST(MPI_Irecv(&got, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &message[0]));
    for (k = 0; k < MANY; k++) {
        MPI_Comm where = k % 2 ? comm : other;
        for (i = 0; i < N; i++) out[k][i] = rank + k + i, in[k][i] = -1;
        switch (k % 4) {
            case 0: MUST(MPI_Iallreduce(out[k], in[k], N, MPI_INT, MPI_SUM, where, &request[k])); break;
            case 1:
                memcpy(in[k], out[k], sizeof in[k]);
                MUST(MPI_Ibcast(in[k], N, MPI_INT, k % size, where, &request[k]));
                break;
            case 2: MUST(MPI_Iscan(out[k], in[k], N, MPI_INT, MPI_MAX, where, &request[k])); break;
            default: MUST(MPI_Ibarrier(where, &request[k]));
        }
    }
    /* A blocking collective between, and the point-to-point message that the wildcard waits for. */
    MUST(MPI_Allreduce(&rank, &i, 1, MPI_INT, MPI_MAX, comm));
    EQUAL("blocking between", size - 1, i);
    MUST(MPI_Isend(&rank, 1, MPI_INT, (rank + 1) % size, 3, comm, &message[1]));
    for (k = 0; k < MANY; k++) {
        if (rank % 3 == 0)
            MUST(MPI_Wait(&request[MANY - 1 - k], MPI_STATUS_IGNORE));
        else
            MUST(MPI_Waitany(MANY, request, &index, MPI_STATUS_IGNORE));
    }
    MUST(MPI_Waitall(2, message, MPI_STATUSES_IGNORE));
    EQUAL("message", (rank + size - 1) % size, got);
    for (k = 0; k < MANY; k++)
        for (i = 0; i < N; i++) {
            int expect = k % 4 == 0 ? size * (size - 1) / 2 + size * (k + i) : k % 4 == 1 ? k % size + k + i : rank + k + i;
            if (k % 4 != 3 && in[k][i] != expect) {
                EQUAL(k % 4 == 0 ? "iallreduce in flight" : k % 4 == 1 ? "ibcast in flight" : "iscan in flight", expect,
                      in[k][i]);
                break;
            }
        }
    MUST(MPI_Comm_free(&other));
}

int main(int argc, char **argv) {
    test_start(&argc, &argv);
    on_comms(each);
    on_comms(flight);
    return test_finish();
}
