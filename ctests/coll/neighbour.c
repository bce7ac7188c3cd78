/* Neighbourhood collectives on a periodic Cartesian ring and a distributed graph. On the ring the
 * neighbours of a dimension come as (negative, positive). */
#include "../test.h"

static int rank_, size_;

static void ring(void) {
    int periodic = 1, left, right, got[2], out[2], v[4], places[2] = {0, 4}, send[8], big[40], i;
    MPI_Aint at[2];
    MPI_Datatype types[2];
    MPI_Comm comm;
    MPI_Request request;
    STEP("ring");
    MUST(MPI_Cart_create(MPI_COMM_WORLD, 1, &test_size, &periodic, 0, &comm));
    MUST(MPI_Comm_rank(comm, &rank_));
    size_ = test_size;
    left = (rank_ + size_ - 1) % size_, right = (rank_ + 1) % size_;
    MUST(MPI_Neighbor_allgather(&rank_, 1, MPI_INT, got, 1, MPI_INT, comm));
    EQUAL("allgather, left", left, got[0]);
    EQUAL("allgather, right", right, got[1]);
    memset(got, -1, sizeof got);
    MUST(MPI_Ineighbor_allgather(&rank_, 1, MPI_INT, got, 1, MPI_INT, comm, &request));
    MUST(MPI_Wait(&request, MPI_STATUS_IGNORE));
    EQUAL("iallgather, left", left, got[0]);
    EQUAL("iallgather, right", right, got[1]);
    out[0] = rank_ * 10, out[1] = rank_ * 10 + 1;
    /* What goes left arrives as the right neighbour's data of the one there. */
    MUST(MPI_Neighbor_alltoall(out, 1, MPI_INT, got, 1, MPI_INT, comm));
    if (size_ > 2) {
        EQUAL("alltoall, from left", left * 10 + 1, got[0]);
        EQUAL("alltoall, from right", right * 10, got[1]);
    }
    if (size_ > 2) {
        for (i = 0; i < 40; i++) big[i] = -1;
        for (i = 0; i < 2; i++) v[i] = 4, v[2 + i] = i * 10;
        for (i = 0; i < 8; i++) send[i] = rank_ * 100 + i;
        MUST(MPI_Neighbor_alltoallv(send, v, places, MPI_INT, big, v, v + 2, MPI_INT, comm));
        for (i = 0; i < 4; i++) {
            EQUAL("alltoallv, from left", left * 100 + 4 + i, big[i]);
            EQUAL("alltoallv, from right", right * 100 + i, big[10 + i]);
        }
        EQUAL("gap", -1, big[4]);
        MUST(MPI_Neighbor_allgatherv(send, 4, MPI_INT, big, v, v + 2, MPI_INT, comm));
        EQUAL("allgatherv, left", left * 100 + 3, big[3]);
        EQUAL("allgatherv, right", right * 100, big[10]);
        for (i = 0; i < 2; i++) at[i] = (MPI_Aint)(i * 4 * sizeof(int)), types[i] = MPI_INT;
        MUST(MPI_Neighbor_alltoallw(send, v, at, types, big, v, at, types, comm));
        EQUAL("alltoallw, from left", left * 100 + 4, big[0]);
        EQUAL("alltoallw, from right", right * 100 + 3, big[7]);
    }
    MUST(MPI_Comm_free(&comm));
}

static void open_line(void) {
    int periodic = 0, got[2] = {-9, -9};
    MPI_Comm comm;
    STEP("line with open ends");
    MUST(MPI_Cart_create(MPI_COMM_WORLD, 1, &test_size, &periodic, 0, &comm));
    MUST(MPI_Comm_rank(comm, &rank_));
    MUST(MPI_Neighbor_allgather(&rank_, 1, MPI_INT, got, 1, MPI_INT, comm));
    EQUAL("left", rank_ > 0 ? rank_ - 1 : -9, got[0]);
    EQUAL("right", rank_ + 1 < test_size ? rank_ + 1 : -9, got[1]);
    MUST(MPI_Comm_free(&comm));
}

/* Everybody sends to rank 0 and to the next; rank 0 hears everybody. */
static void graph(void) {
    int destinations[2], *sources = test_alloc((size_t)(test_size + 1) * sizeof(int)), *got, in, out, weighted, i;
    int sent[2] = {0, 0};
    MPI_Comm comm;
    STEP("distributed graph");
    destinations[0] = 0, destinations[1] = (test_rank + 1) % test_size;
    in = 0;
    if (test_rank == 0)
        for (i = 0; i < test_size; i++) sources[in++] = i;
    sources[in++] = (test_rank + test_size - 1) % test_size;
    MUST(MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, in, sources, MPI_UNWEIGHTED, 2, destinations, MPI_UNWEIGHTED,
                                        MPI_INFO_NULL, 0, &comm));
    MUST(MPI_Dist_graph_neighbors_count(comm, &i, &out, &weighted));
    EQUAL("in degree", in, i);
    EQUAL("out degree", 2, out);
    EQUAL("weighted", 0, weighted);
    got = test_alloc((size_t)in * sizeof(int));
    MUST(MPI_Neighbor_allgather(&test_rank, 1, MPI_INT, got, 1, MPI_INT, comm));
    for (i = 0; i < in; i++) EQUAL("allgather", sources[i], got[i]);
    sent[0] = test_rank * 2, sent[1] = test_rank * 2 + 1;
    MUST(MPI_Neighbor_alltoall(sent, 1, MPI_INT, got, 1, MPI_INT, comm));
    if (test_size > 2 && test_rank > 0) EQUAL("alltoall", (test_rank - 1) * 2 + 1, got[0]);
    MUST(MPI_Comm_free(&comm));
    free(sources);
    free(got);
}

int main(int argc, char **argv) {
    test_start(&argc, &argv);
    ring();
    open_line();
    graph();
    return test_finish();
}
