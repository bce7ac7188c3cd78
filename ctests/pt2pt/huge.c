/* Messages above 2 GiB with int counts (a derived type of 12 bytes, 2^28 - 3 of it) and, where the
 * library has them, with MPI_Count. The two ranks need about 3.3 GB each; checks a sample of bytes. */
#include "../test.h"

static const size_t BYTES = (size_t)12 * ((1u << 28) - 3);

static void check_sample(const unsigned char *p, size_t bytes, unsigned seed) {
    size_t i;
    for (i = 0; i < bytes; i += i < 100000 || i + 100000 > bytes ? 1 : 997)
        if (p[i] != test_byte(seed, i)) {
            test_fail(__FILE__, __LINE__, "byte %lu: expected 0x%02x, got 0x%02x", (unsigned long)i, test_byte(seed, i),
                      p[i]);
            return;
        }
}

int main(int argc, char **argv) {
    unsigned char *buffer;
    MPI_Datatype twelve;
    MPI_Status status;
    MPI_Count elements;
    int count;
    test_deadline = 170;
    test_start(&argc, &argv);
    buffer = test_rank < 2 ? test_alloc(BYTES) : NULL;
    STEP("12-byte elements");
    MUST(MPI_Type_contiguous(3, MPI_INT, &twelve));
    MUST(MPI_Type_commit(&twelve));
    if (test_rank == 0) {
        test_fill(buffer, BYTES, 5);
        MUST(MPI_Send(buffer, (1 << 28) - 3, twelve, 1, 0, MPI_COMM_WORLD));
    } else if (test_rank == 1) {
        MUST(MPI_Recv(buffer, (1 << 28) - 3, twelve, 0, 0, MPI_COMM_WORLD, &status));
        CHECK_STATUS("huge", &status, 0, 0, twelve, (1 << 28) - 3);
        MUST(MPI_Get_elements_x(&status, MPI_BYTE, &elements));
        EQUAL("bytes", BYTES, elements);
        MUST(MPI_Get_count(&status, MPI_BYTE, &count));
        EQUAL("a count of bytes does not fit an int", MPI_UNDEFINED, count);
        check_sample(buffer, BYTES, 5);
    }
    MUST(MPI_Type_free(&twelve));
#if MPI_VERSION >= 4
    STEP("MPI_Count");
    if (test_rank == 0) {
        MUST(MPI_Send_c(buffer, (MPI_Count)BYTES - 1, MPI_BYTE, 1, 1, MPI_COMM_WORLD));
    } else if (test_rank == 1) {
        buffer[0] = buffer[BYTES - 2] = 0;
        MUST(MPI_Recv_c(buffer, (MPI_Count)BYTES, MPI_BYTE, 0, 1, MPI_COMM_WORLD, &status));
        MUST(MPI_Get_count_c(&status, MPI_BYTE, &elements));
        EQUAL("bytes", BYTES - 1, elements);
        check_sample(buffer, BYTES - 1, 5);
    }
#endif
    free(buffer);
    return test_finish();
}
