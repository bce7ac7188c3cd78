/* MPI_Sendrecv and MPI_Sendrecv_replace in rings, with different lengths and tags both ways, with
 * derived types, with itself and with MPI_PROC_NULL on one side. */
#include "../test.h"

static void ring(size_t bytes) {
    int right = (test_rank + 1) % test_size, left = (test_rank + test_size - 1) % test_size;
    unsigned char *out = test_alloc(bytes + 1), *in = test_alloc(bytes + 1);
    MPI_Status status;
    test_fill(out, bytes, (unsigned)test_rank);
    memset(in, 0x5A, bytes + 1);
    MUST(MPI_Sendrecv(out, (int)bytes, MPI_BYTE, right, 10 + test_rank, in, (int)bytes + 1, MPI_BYTE, left, 10 + left,
                      MPI_COMM_WORLD, &status));
    CHECK_STATUS("ring", &status, left, 10 + left, MPI_BYTE, (int)bytes);
    CHECK_FILL("ring", in, bytes, (unsigned)left);
    EQUAL("byte after", 0x5A, in[bytes]);
    MUST(MPI_Sendrecv_replace(out, (int)bytes, MPI_BYTE, left, 3, right, 3, MPI_COMM_WORLD, &status));
    CHECK_STATUS("replace", &status, right, 3, MPI_BYTE, (int)bytes);
    CHECK_FILL("replace", out, bytes, (unsigned)right);
    free(out);
    free(in);
}

int main(int argc, char **argv) {
    static const size_t sizes[] = {0, 1, 8, 100, 4096, 65536, 65537, 300000, 2000000};
    int i, value[8], other[8];
    MPI_Datatype column;
    MPI_Status status;
    test_start(&argc, &argv);
    STEP("ring");
    for (i = 0; i < (int)(sizeof sizes / sizeof sizes[0]); i++) ring(sizes[i]);

    STEP("replace with holes");
    MUST(MPI_Type_vector(4, 1, 2, MPI_INT, &column));
    MUST(MPI_Type_commit(&column));
    for (i = 0; i < 8; i++) value[i] = test_rank * 100 + i;
    MUST(MPI_Sendrecv_replace(value, 1, column, (test_rank + 1) % test_size, 1,
                              (test_rank + test_size - 1) % test_size, 1, MPI_COMM_WORLD, &status));
    for (i = 0; i < 8; i++)
        EQUAL("holes kept, the rest replaced",
              (i % 2 ? test_rank : (test_rank + test_size - 1) % test_size) * 100 + i, value[i]);
    MUST(MPI_Type_free(&column));

    STEP("different types on both sides");
    {
        double d[2], e[2] = {0, 0};
        d[0] = test_rank + 0.5, d[1] = -test_rank;
        MUST(MPI_Sendrecv(d, 2, MPI_DOUBLE, test_rank, 8, e, 16, MPI_BYTE, test_rank, 8, MPI_COMM_WORLD, &status));
        CHECK(e[0] == d[0] && e[1] == d[1], "self exchange: expected %g %g, got %g %g", d[0], d[1], e[0], e[1]);
        CHECK_STATUS("self", &status, test_rank, 8, MPI_BYTE, 16);
    }

    STEP("one side is MPI_PROC_NULL");
    for (i = 0; i < 8; i++) value[i] = i, other[i] = -i;
    MUST(MPI_Sendrecv(value, 8, MPI_INT, test_rank + 1 < test_size ? test_rank + 1 : MPI_PROC_NULL, 4, other, 8,
                      MPI_INT, test_rank > 0 ? test_rank - 1 : MPI_PROC_NULL, 4, MPI_COMM_WORLD, &status));
    if (test_rank == 0) {
        CHECK_STATUS("proc null", &status, MPI_PROC_NULL, MPI_ANY_TAG, MPI_INT, 0);
        EQUAL("untouched", -7, other[7]);
    } else {
        CHECK_STATUS("shift", &status, test_rank - 1, 4, MPI_INT, 8);
        EQUAL("shifted", 7, other[7]);
    }

    STEP("wildcards in sendrecv");
    value[0] = test_rank;
    MUST(MPI_Sendrecv(value, 1, MPI_INT, (test_rank + 1) % test_size, 77, other, 8, MPI_INT, MPI_ANY_SOURCE,
                      MPI_ANY_TAG, MPI_COMM_WORLD, &status));
    CHECK_STATUS("wild", &status, (test_rank + test_size - 1) % test_size, 77, MPI_INT, 1);
    EQUAL("wild value", (test_rank + test_size - 1) % test_size, other[0]);
    MPI_Barrier(MPI_COMM_WORLD);
    value[0] = test_rank;
    MUST(MPI_Sendrecv_replace(value, 1, MPI_INT, (test_rank + 1) % test_size, 78, MPI_ANY_SOURCE, MPI_ANY_TAG,
                              MPI_COMM_WORLD, &status));
    CHECK_STATUS("wild replace", &status, (test_rank + test_size - 1) % test_size, 78, MPI_INT, 1);
    return test_finish();
}
