/* One error under the default handler, chosen by the argument: the job must end, with an exit status
 * that is not zero and a message on standard error that names the call and the value. Only rank 1 (or
 * the last) errs; the others wait for it in a barrier and must be ended too. */
#include "../test.h"

int main(int argc, char **argv) {
    int word = 0, list[2] = {0, 0};
    const char *which;
    test_deadline = 20;
    test_start(&argc, &argv);
    which = argc > 1 ? argv[1] : "rank";
    if (test_rank == (test_size > 1)) {
        STEP("the error");
        if (strcmp(which, "rank") == 0) MPI_Send(&word, 1, MPI_INT, 7777, 0, MPI_COMM_WORLD);
        if (strcmp(which, "tag") == 0) MPI_Recv(&word, 1, MPI_INT, 0, -8888, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (strcmp(which, "count") == 0) MPI_Bcast(&word, -9999, MPI_INT, 0, MPI_COMM_WORLD);
        if (strcmp(which, "comm") == 0) MPI_Comm_size(MPI_COMM_NULL, &word);
        if (strcmp(which, "type") == 0) MPI_Type_size(MPI_DATATYPE_NULL, &word);
        if (strcmp(which, "root") == 0) MPI_Bcast(&word, 1, MPI_INT, 6666, MPI_COMM_WORLD);
        if (strcmp(which, "truncate") == 0) {
            MPI_Request request;
            MPI_Isend(list, 2, MPI_INT, test_rank, 0, MPI_COMM_WORLD, &request);
            MPI_Recv(&word, 1, MPI_INT, test_rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
        printf("the error did not end this rank\n");
    } else {
        STEP("waiting for the rank that errs");
        MPI_Barrier(MPI_COMM_WORLD);
    }
    return test_finish();
}
