/* What MPI-4 added to point-to-point: MPI_Isendrecv(_replace) and the calls with MPI_Count arguments.
 * Where the header is older there is nothing to test. */
#include "../test.h"

#if MPI_VERSION >= 4
static void both_ways(void) {
    static const int lengths[] = {1, 1000, 100000};
    int i, k, right = (test_rank + 1) % test_size, left = (test_rank + test_size - 1) % test_size;
    int *out = test_alloc(100000 * sizeof(int)), *in = test_alloc(100000 * sizeof(int));
    MPI_Request request[2];
    MPI_Status status[2];
    STEP("isendrecv");
    for (k = 0; k < 3; k++) {
        int n = lengths[k];
        int *turn = test_alloc((size_t)n * sizeof(int));
        for (i = 0; i < n; i++) out[i] = test_rank * 1000 + i, in[i] = -1, turn[i] = test_rank * 2000 + i;
        MUST(MPI_Isendrecv(out, n, MPI_INT, right, 1, in, n, MPI_INT, left, 1, MPI_COMM_WORLD, &request[0]));
        MUST(MPI_Isendrecv_replace(turn, n, MPI_INT, left, 2, right, 2, MPI_COMM_WORLD, &request[1]));
        MUST(MPI_Waitall(2, request, status));
        CHECK_STATUS("isendrecv", &status[0], left, 1, MPI_INT, n);
        CHECK_STATUS("isendrecv_replace", &status[1], right, 2, MPI_INT, n);
        EQUAL("isendrecv", left * 1000 + n - 1, in[n - 1]);
        EQUAL("isendrecv_replace", right * 2000 + n - 1, turn[n - 1]);
        free(turn);
    }
    free(out);
    free(in);
}

static void wide(void) {
    int word[4] = {1, 2, 3, 4}, got[4] = {0, 0, 0, 0};
    MPI_Count count = -1, size = -1, lb = -1, extent = -1, places[2] = {0, 12}, lengths[2] = {1, 2};
    MPI_Request request;
    MPI_Status status;
    MPI_Datatype type;
    STEP("counts of MPI_Count");
    MUST(MPI_Isend_c(word, 4, MPI_INT, test_rank, 3, MPI_COMM_WORLD, &request));
    MUST(MPI_Recv_c(got, 4, MPI_INT, test_rank, 3, MPI_COMM_WORLD, &status));
    MUST(MPI_Wait(&request, MPI_STATUS_IGNORE));
    MUST(MPI_Get_count_c(&status, MPI_INT, &count));
    EQUAL("count", 4, count);
    EQUAL("last", 4, got[3]);
    MUST(MPI_Type_vector_c(3, 1, (MPI_Count)1 << 31, MPI_INT, &type));
    MUST(MPI_Type_get_extent_c(type, &lb, &extent));
    EQUAL("extent", ((long long)1 << 34) + 4, extent);
    MUST(MPI_Type_size_c(type, &size));
    EQUAL("size", 12, size);
    MUST(MPI_Type_free(&type));
    MUST(MPI_Type_create_hindexed_c(2, lengths, places, MPI_INT, &type));
    MUST(MPI_Type_commit(&type));
    memset(got, 0, sizeof got);
    word[3] = 0;
    {
        int wide_out[5] = {10, 11, 12, 13, 14}, three[3] = {0, 0, 0};
        MUST(MPI_Sendrecv_c(wide_out, 1, type, test_rank, 4, three, 3, MPI_INT, test_rank, 4, MPI_COMM_WORLD, &status));
        EQUAL("second", 13, three[1]);
        EQUAL("third", 14, three[2]);
    }
    MUST(MPI_Type_free(&type));
    MUST(MPI_Allreduce_c(word, got, 3, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    EQUAL("allreduce", 3 * test_size, got[2]);
    MUST(MPI_Bcast_c(got, 3, MPI_INT, 0, MPI_COMM_WORLD));
}
#endif

int main(int argc, char **argv) {
    test_start(&argc, &argv);
#if MPI_VERSION >= 4
    both_ways();
    wide();
#endif
    return test_finish();
}
