/* A receive that fails because its message is too long still says whose message it was, in every call
 * that completes it; the other requests of a call say that they are well (MPI-5.0, 3.2.5 and 3.7.5).
 * With an argument nobody asks, and the calls fail nevertheless. */
#include "../test.h"
#include "quiet.h"

static int buffer[3][10];

static void start(MPI_Request *request, int tag) {
    int i;
    for (i = 0; i < 3; i++) MUST(MPI_Irecv(buffer[i], 10, MPI_INT, 1, tag + i, MPI_COMM_WORLD, &request[i]));
    MPI_Barrier(MPI_COMM_WORLD);
    /* The synchronous message behind the others: they are all here. */
    MUST(MPI_Recv(NULL, 0, MPI_INT, 1, 99, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
}

static void about(const MPI_Status *status, int tag, int class_) {
    EQUAL("source", 1, status->MPI_SOURCE);
    EQUAL("tag", tag, status->MPI_TAG);
    test_class(__FILE__, __LINE__, "MPI_ERROR", class_, status->MPI_ERROR);
}

static void all(const MPI_Status *status, int tag) {
    about(&status[0], tag, MPI_SUCCESS);
    about(&status[1], tag + 1, MPI_ERR_TRUNCATE);
    about(&status[2], tag + 2, MPI_SUCCESS);
}

int main(int argc, char **argv) {
    static int out[20];
    MPI_Request request[3];
    MPI_Status status[3], one;
    int i, round, flag, count, index[3], ignored;
    test_start(&argc, &argv);
    ignored = argc > 1;
    errors_return();
    for (round = ignored ? 6 : 0; round < (ignored ? 8 : 6); round++) {
        int tag = 10 * round;
        if (test_rank == 1) {
            MPI_Barrier(MPI_COMM_WORLD);
            for (i = 0; i < 3; i++) MUST(MPI_Send(out, i == 1 ? 11 : 10, MPI_INT, 0, tag + i, MPI_COMM_WORLD));
            MUST(MPI_Ssend(NULL, 0, MPI_INT, 0, 99, MPI_COMM_WORLD));
        }
        if (test_rank != 0) continue;
        start(request, tag);
        for (i = 0; i < 3; i++) status[i].MPI_SOURCE = status[i].MPI_TAG = status[i].MPI_ERROR = -77;
        switch (round) {
        case 0:
            STEP("waitall");
            FAILS(MPI_ERR_IN_STATUS, MPI_Waitall(3, request, status));
            all(status, tag);
            break;
        case 1:
            STEP("testall");
            FAILS(MPI_ERR_IN_STATUS, MPI_Testall(3, request, &flag, status));
            all(status, tag);
            break;
        case 2:
            STEP("waitsome");
            FAILS(MPI_ERR_IN_STATUS, MPI_Waitsome(3, request, &count, index, status));
            EQUAL("outcount", 3, count);
            all(status, tag);
            break;
        case 3:
            STEP("testsome");
            FAILS(MPI_ERR_IN_STATUS, MPI_Testsome(3, request, &count, index, status));
            EQUAL("outcount", 3, count);
            all(status, tag);
            break;
        case 6:
            STEP("waitall without statuses");
            FAILS(MPI_ERR_IN_STATUS, MPI_Waitall(3, request, MPI_STATUSES_IGNORE));
            break;
        case 7:
            STEP("wait without a status");
            for (i = 0; i < 3; i++)
                FAILS(i == 1 ? MPI_ERR_TRUNCATE : MPI_SUCCESS, MPI_Wait(&request[i], MPI_STATUS_IGNORE));
            break;
        default:
            STEP(round == 4 ? "wait" : "test");
            one.MPI_SOURCE = one.MPI_TAG = -77;
            FAILS(MPI_ERR_TRUNCATE, round == 4 ? MPI_Wait(&request[1], &one) : MPI_Test(&request[1], &flag, &one));
            EQUAL("source", 1, one.MPI_SOURCE);
            EQUAL("tag", tag + 1, one.MPI_TAG);
            MUST(MPI_Wait(&request[0], MPI_STATUS_IGNORE));
            MUST(MPI_Wait(&request[2], MPI_STATUS_IGNORE));
        }
        for (i = 0; i < 3; i++) CHECK(request[i] == MPI_REQUEST_NULL, "request %d not null", i);
    }
    return test_finish();
}
