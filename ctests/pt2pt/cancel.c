/* Cancelling receives: either the receive is cancelled and takes nothing, or it completes with its
 * message; afterwards matching goes on as if the cancelled one had never been posted. */
#include "../test.h"

int main(int argc, char **argv) {
    int value = -1, other = -1, flag, i;
    MPI_Request request, several[10];
    MPI_Status status;
    test_start(&argc, &argv);

    STEP("nothing sent");
    MUST(MPI_Irecv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &request));
    MUST(MPI_Cancel(&request));
    CHECK(request != MPI_REQUEST_NULL, "cancel must leave the request for wait");
    MUST(MPI_Wait(&request, &status));
    MUST(MPI_Test_cancelled(&status, &flag));
    EQUAL("cancelled", 1, flag);
    CHECK(request == MPI_REQUEST_NULL, "request not null after wait");

    STEP("the next receive gets the message");
    MPI_Barrier(MPI_COMM_WORLD);
    MUST(MPI_Irecv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, &several[0]));
    MUST(MPI_Irecv(&other, 1, MPI_INT, MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, &several[1]));
    MUST(MPI_Cancel(&several[0]));
    MPI_Barrier(MPI_COMM_WORLD);
    i = 42 + test_rank;
    MUST(MPI_Send(&i, 1, MPI_INT, (test_rank + 1) % test_size, 2, MPI_COMM_WORLD));
    MUST(MPI_Wait(&several[0], &status));
    MUST(MPI_Test_cancelled(&status, &flag));
    EQUAL("cancelled", 1, flag);
    MUST(MPI_Wait(&several[1], &status));
    MUST(MPI_Test_cancelled(&status, &flag));
    EQUAL("not cancelled", 0, flag);
    EQUAL("value", 42 + (test_rank + test_size - 1) % test_size, other);
    EQUAL("cancelled buffer untouched", -1, value);

    STEP("too late to cancel");
    MPI_Barrier(MPI_COMM_WORLD);
    MUST(MPI_Isend(&i, 1, MPI_INT, test_rank, 3, MPI_COMM_WORLD, &several[0]));
    MUST(MPI_Recv(&value, 1, MPI_INT, test_rank, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    MUST(MPI_Wait(&several[0], MPI_STATUS_IGNORE));
    MUST(MPI_Irecv(&value, 1, MPI_INT, test_rank, 4, MPI_COMM_WORLD, &several[0]));
    /* Synchronous: when it returns, the receive has matched. */
    MUST(MPI_Ssend(&i, 1, MPI_INT, test_rank, 4, MPI_COMM_WORLD));
    MUST(MPI_Cancel(&several[0]));
    MUST(MPI_Wait(&several[0], &status));
    MUST(MPI_Test_cancelled(&status, &flag));
    EQUAL("a matched receive completes", 0, flag);
    EQUAL("its value", i, value);

    STEP("many, out of order");
    for (i = 0; i < 10; i++) MUST(MPI_Irecv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 50 + i, MPI_COMM_WORLD, &several[i]));
    for (i = 0; i < 10; i++) MUST(MPI_Cancel(&several[i * 7 % 10]));
    MUST(MPI_Waitall(10, several, MPI_STATUSES_IGNORE));
    for (i = 0; i < 10; i++) CHECK(several[i] == MPI_REQUEST_NULL, "request %d not null", i);

    STEP("persistent receive");
    MUST(MPI_Recv_init(&value, 1, MPI_INT, MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, &request));
    MUST(MPI_Start(&request));
    MUST(MPI_Cancel(&request));
    MUST(MPI_Wait(&request, &status));
    MUST(MPI_Test_cancelled(&status, &flag));
    EQUAL("persistent cancelled", 1, flag);
    CHECK(request != MPI_REQUEST_NULL, "a persistent request survives");
    MUST(MPI_Start(&request));
    MPI_Barrier(MPI_COMM_WORLD);
    MUST(MPI_Send(&test_rank, 1, MPI_INT, (test_rank + 1) % test_size, 5, MPI_COMM_WORLD));
    MUST(MPI_Wait(&request, &status));
    CHECK_STATUS("persistent again", &status, (test_rank + test_size - 1) % test_size, 5, MPI_INT, 1);
    MUST(MPI_Request_free(&request));
    return test_finish();
}
