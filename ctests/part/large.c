/* Partitioned messages of more than 4 GiB, and counts that no int holds: one megabyte that a type without
 * extent repeats. Where the header knows no partitions there is nothing to test. */
#include "../test.h"

#if MPI_VERSION >= 4 || (defined OMPI_MAJOR_VERSION && OMPI_MAJOR_VERSION >= 5)

enum { BYTES = 1 << 20, TIMES = 4098 };

static unsigned char out[BYTES], in[BYTES];

static void run(int parts, MPI_Count count, int other, MPI_Count theirs, MPI_Datatype type, MPI_Count bytes) {
    int i, flag;
    MPI_Count got = -1;
    MPI_Request request[2];
    MPI_Status status[2];
    MUST(MPI_Psend_init(out, parts, count, type, 0, 0, MPI_COMM_SELF, MPI_INFO_NULL, &request[0]));
    MUST(MPI_Precv_init(in, other, theirs, type, 0, 0, MPI_COMM_SELF, MPI_INFO_NULL, &request[1]));
    MUST(MPI_Startall(2, request));
    for (i = parts - 1; i >= 0; i--) MUST(MPI_Pready(i, request[0]));
    for (i = 0; i < other; i++)
        for (flag = 0; !flag;) MUST(MPI_Parrived(request[1], i, &flag));
    MUST(MPI_Waitall(2, request, status));
    MUST(MPI_Get_elements_x(&status[1], MPI_BYTE, &got));
    EQUAL("bytes", bytes, got);
    MUST(MPI_Request_free(&request[0]));
    MUST(MPI_Request_free(&request[1]));
}

int main(int argc, char **argv) {
    MPI_Datatype line, none;
    test_start(&argc, &argv);
    MUST(MPI_Type_contiguous(BYTES, MPI_BYTE, &none));
    MUST(MPI_Type_create_resized(none, 0, 0, &line));
    MUST(MPI_Type_commit(&line));
    MUST(MPI_Type_free(&none));
    MUST(MPI_Type_contiguous(0, MPI_BYTE, &none));
    MUST(MPI_Type_commit(&none));
    test_fill(out, BYTES, 3);
    STEP("more than 4 GiB");
    run(3, TIMES / 3, 2, TIMES / 2, line, (MPI_Count)BYTES * TIMES);
    CHECK_FILL("received", in, BYTES, 3);
    STEP("more than 2^31 elements a partition");
    run(2, (MPI_Count)5 << 30, 1, (MPI_Count)5 << 31, none, 0);
    MUST(MPI_Type_free(&line));
    MUST(MPI_Type_free(&none));
    return test_finish();
}

#else

int main(int argc, char **argv) {
    test_start(&argc, &argv);
    return test_finish();
}

#endif
