/* MPI_PROC_NULL as destination and source of everything: nothing is sent, receives complete at once
 * with an empty message of source MPI_PROC_NULL, and buffers stay as they are. */
#include "../test.h"

int main(int argc, char **argv) {
    int value = 17, i;
    MPI_Request request[12];
    MPI_Status status[12];
    test_start(&argc, &argv);
    STEP("blocking");
    MUST(MPI_Send(&value, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD));
    MUST(MPI_Ssend(&value, 1, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD));
    MUST(MPI_Rsend(&value, 1, MPI_INT, MPI_PROC_NULL, 2, MPI_COMM_WORLD));
    MUST(MPI_Bsend(&value, 1, MPI_INT, MPI_PROC_NULL, 3, MPI_COMM_WORLD));
    MUST(MPI_Recv(&value, 1, MPI_INT, MPI_PROC_NULL, 4, MPI_COMM_WORLD, &status[0]));
    CHECK_STATUS("recv", &status[0], MPI_PROC_NULL, MPI_ANY_TAG, MPI_INT, 0);
    MUST(MPI_Recv(&value, 1, MPI_INT, MPI_PROC_NULL, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    STEP("non-blocking");
    MUST(MPI_Isend(&value, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &request[0]));
    MUST(MPI_Issend(&value, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &request[1]));
    MUST(MPI_Irsend(&value, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &request[2]));
    MUST(MPI_Ibsend(&value, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &request[3]));
    MUST(MPI_Irecv(&value, 1, MPI_INT, MPI_PROC_NULL, MPI_ANY_TAG, MPI_COMM_WORLD, &request[4]));
    MUST(MPI_Irecv(&value, 1, MPI_INT, MPI_PROC_NULL, 5, MPI_COMM_WORLD, &request[5]));
    MUST(MPI_Waitall(6, request, status));
    for (i = 4; i < 6; i++) CHECK_STATUS("irecv", &status[i], MPI_PROC_NULL, MPI_ANY_TAG, MPI_INT, 0);
    for (i = 0; i < 6; i++) CHECK(request[i] == MPI_REQUEST_NULL, "request %d left", i);
    STEP("persistent");
    MUST(MPI_Send_init(&value, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &request[0]));
    MUST(MPI_Ssend_init(&value, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &request[1]));
    MUST(MPI_Bsend_init(&value, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &request[2]));
    MUST(MPI_Rsend_init(&value, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &request[3]));
    MUST(MPI_Recv_init(&value, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &request[4]));
    for (i = 0; i < 3; i++) {
        MUST(MPI_Startall(5, request));
        MUST(MPI_Waitall(5, request, status));
        CHECK_STATUS("persistent recv", &status[4], MPI_PROC_NULL, MPI_ANY_TAG, MPI_INT, 0);
    }
    for (i = 0; i < 5; i++) MUST(MPI_Request_free(&request[i]));
    STEP("both sides");
    MUST(MPI_Sendrecv(&value, 1, MPI_INT, MPI_PROC_NULL, 0, &i, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD,
                      &status[0]));
    CHECK_STATUS("sendrecv", &status[0], MPI_PROC_NULL, MPI_ANY_TAG, MPI_INT, 0);
    MUST(MPI_Sendrecv_replace(&value, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &status[0]));
    CHECK_STATUS("sendrecv_replace", &status[0], MPI_PROC_NULL, MPI_ANY_TAG, MPI_INT, 0);
    EQUAL("buffer untouched", 17, value);
    return test_finish();
}
