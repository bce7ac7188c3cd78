/* Bad arguments of collectives: roots, counts, types, operations, buffers. Every rank makes the same
 * mistake, so every rank gets the error and nobody waits. */
#include "../test.h"
#include "quiet.h"

static int word, other, many[64];

static void roots(int root) {
    MPI_Comm w = MPI_COMM_WORLD;
    MPI_Request request;
    FAILS(MPI_ERR_ROOT, MPI_Bcast(&word, 1, MPI_INT, root, w));
    FAILS(MPI_ERR_ROOT, MPI_Reduce(&word, &other, 1, MPI_INT, MPI_SUM, root, w));
    FAILS(MPI_ERR_ROOT, MPI_Gather(&word, 1, MPI_INT, many, 1, MPI_INT, root, w));
    FAILS(MPI_ERR_ROOT, MPI_Gatherv(&word, 1, MPI_INT, many, many, many, MPI_INT, root, w));
    FAILS(MPI_ERR_ROOT, MPI_Scatter(many, 1, MPI_INT, &word, 1, MPI_INT, root, w));
    FAILS(MPI_ERR_ROOT, MPI_Scatterv(many, many, many, MPI_INT, &word, 1, MPI_INT, root, w));
    FAILS(MPI_ERR_ROOT, MPI_Ibcast(&word, 1, MPI_INT, root, w, &request));
    FAILS(MPI_ERR_ROOT, MPI_Ireduce(&word, &other, 1, MPI_INT, MPI_SUM, root, w, &request));
}

int main(int argc, char **argv) {
    MPI_Comm w = MPI_COMM_WORLD;
    MPI_Datatype raw;
    int i, negative[64];
    test_start(&argc, &argv);
    errors_return();
    for (i = 0; i < 64; i++) negative[i] = -1;
    STEP("roots");
    roots(test_size);
    roots(-1000);
    roots(MPI_PROC_NULL);
    STEP("counts");
    FAILS(MPI_ERR_COUNT, MPI_Bcast(&word, -1, MPI_INT, 0, w));
    FAILS(MPI_ERR_COUNT, MPI_Reduce(&word, &other, -1, MPI_INT, MPI_SUM, 0, w));
    FAILS(MPI_ERR_COUNT, MPI_Allreduce(&word, &other, -1, MPI_INT, MPI_SUM, w));
    FAILS(MPI_ERR_COUNT, MPI_Allgather(&word, -1, MPI_INT, many, 1, MPI_INT, w));
    FAILS(MPI_ERR_COUNT, MPI_Allgather(&word, 1, MPI_INT, many, -1, MPI_INT, w));
    FAILS(MPI_ERR_COUNT, MPI_Alltoall(many, -1, MPI_INT, many + 32, 1, MPI_INT, w));
    FAILS(MPI_ERR_COUNT, MPI_Gather(&word, -1, MPI_INT, many, 1, MPI_INT, 0, w));
    FAILS(MPI_ERR_COUNT, MPI_Scatter(many, 1, MPI_INT, &word, -1, MPI_INT, 0, w));
    FAILS(MPI_ERR_COUNT, MPI_Scan(&word, &other, -1, MPI_INT, MPI_SUM, w));
    FAILS(MPI_ERR_COUNT, MPI_Exscan(&word, &other, -1, MPI_INT, MPI_SUM, w));
    FAILS(MPI_ERR_COUNT, MPI_Reduce_scatter_block(many, many + 32, -1, MPI_INT, MPI_SUM, w));
    FAILS(MPI_ERR_COUNT, MPI_Reduce_scatter(many, many + 32, negative, MPI_INT, MPI_SUM, w));
    FAILS(MPI_ERR_COUNT, MPI_Allgatherv(&word, 1, MPI_INT, many, negative, many + 32, MPI_INT, w));
    FAILS(MPI_ERR_COUNT, MPI_Alltoallv(many, negative, many + 16, MPI_INT, many + 32, negative, many, MPI_INT, w));
    STEP("types");
    MUST(MPI_Type_contiguous(1, MPI_INT, &raw));
    FAILS(MPI_ERR_TYPE, MPI_Bcast(&word, 1, raw, 0, w));
    FAILS_EITHER(MPI_ERR_TYPE, MPI_ERR_OP, MPI_Allreduce(&word, &other, 1, raw, MPI_SUM, w));
    FAILS(MPI_ERR_TYPE, MPI_Allgather(&word, 1, raw, many, 1, MPI_INT, w));
    FAILS(MPI_ERR_TYPE, MPI_Alltoall(many, 1, MPI_INT, many + 32, 1, raw, w));
    MUST(MPI_Type_free(&raw));
    STEP("operations");
    FAILS(MPI_ERR_OP, MPI_Allreduce(&word, &other, 1, MPI_DOUBLE, MPI_BXOR, w));
    FAILS(MPI_ERR_OP, MPI_Reduce(&word, &other, 1, MPI_INT, MPI_REPLACE, 0, w));
    FAILS(MPI_ERR_OP, MPI_Scan(&word, &other, 1, MPI_FLOAT, MPI_LAND, w));
    STEP("buffers");
    FAILS(MPI_ERR_BUFFER, MPI_Bcast(NULL, 5, MPI_INT, 0, w));
    FAILS(MPI_ERR_BUFFER, MPI_Allreduce(&word, NULL, 1, MPI_INT, MPI_SUM, w));
    FAILS(MPI_ERR_BUFFER, MPI_Allreduce(&word, MPI_IN_PLACE, 1, MPI_INT, MPI_SUM, w));
    FAILS(MPI_ERR_BUFFER, MPI_Bcast(MPI_IN_PLACE, 1, MPI_INT, 0, w));
    STEP("the library still works");
    word = test_rank;
    MUST(MPI_Allreduce(&word, &other, 1, MPI_INT, MPI_SUM, w));
    EQUAL("sum", test_size * (test_size - 1) / 2, other);
    return test_finish();
}
