/* Messages to oneself, on MPI_COMM_WORLD and MPI_COMM_SELF, in every order of send and receive. */
#include "../test.h"

static void both_orders(MPI_Comm comm, int me, size_t bytes) {
    unsigned char *out = test_alloc(bytes), *in = test_alloc(bytes);
    MPI_Request request[2];
    MPI_Status status[2];
    int flag;
    test_fill(out, bytes, 3);
    STEP("receive first");
    memset(in, 0, bytes);
    MUST(MPI_Irecv(in, (int)bytes, MPI_BYTE, me, 1, comm, &request[0]));
    MUST(MPI_Send(out, (int)bytes, MPI_BYTE, me, 1, comm));
    MUST(MPI_Wait(&request[0], &status[0]));
    CHECK_STATUS("receive first", &status[0], me, 1, MPI_BYTE, (int)bytes);
    CHECK_FILL("receive first", in, bytes, 3);
    STEP("send first");
    memset(in, 0, bytes);
    MUST(MPI_Isend(out, (int)bytes, MPI_BYTE, me, 2, comm, &request[1]));
    MUST(MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &status[0]));
    CHECK_STATUS("probe", &status[0], me, 2, MPI_BYTE, (int)bytes);
    MUST(MPI_Recv(in, (int)bytes, MPI_BYTE, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &status[0]));
    MUST(MPI_Wait(&request[1], MPI_STATUS_IGNORE));
    CHECK_FILL("send first", in, bytes, 3);
    STEP("synchronous");
    memset(in, 0, bytes);
    MUST(MPI_Issend(out, (int)bytes, MPI_BYTE, me, 3, comm, &request[0]));
    MUST(MPI_Test(&request[0], &flag, &status[0]));
    EQUAL("issend completes before its receive", 0, flag);
    MUST(MPI_Irecv(in, (int)bytes, MPI_BYTE, me, 3, comm, &request[1]));
    MUST(MPI_Waitall(2, request, status));
    CHECK_FILL("synchronous", in, bytes, 3);
    STEP("blocking synchronous into a posted receive");
    memset(in, 0, bytes);
    MUST(MPI_Irecv(in, (int)bytes, MPI_BYTE, me, 4, comm, &request[0]));
    MUST(MPI_Ssend(out, (int)bytes, MPI_BYTE, me, 4, comm));
    MUST(MPI_Wait(&request[0], &status[0]));
    CHECK_FILL("blocking synchronous", in, bytes, 3);
    STEP("ready");
    MUST(MPI_Irecv(in, (int)bytes, MPI_BYTE, me, 5, comm, &request[0]));
    MUST(MPI_Rsend(out, (int)bytes, MPI_BYTE, me, 5, comm));
    MUST(MPI_Wait(&request[0], &status[0]));
    CHECK_STATUS("ready", &status[0], me, 5, MPI_BYTE, (int)bytes);
    free(out);
    free(in);
}

int main(int argc, char **argv) {
    static const size_t sizes[] = {0, 1, 64, 4096, 65536, 70000, 3000000};
    int i, k, value[100], got;
    MPI_Request request[100];
    test_start(&argc, &argv);
    for (i = 0; i < (int)(sizeof sizes / sizeof sizes[0]); i++) {
        both_orders(MPI_COMM_WORLD, test_rank, sizes[i]);
        both_orders(MPI_COMM_SELF, 0, sizes[i]);
    }
    STEP("a hundred unexpected, taken by tag backwards");
    for (i = 0; i < 100; i++) {
        value[i] = i;
        MUST(MPI_Isend(&value[i], 1, MPI_INT, 0, i / 2, MPI_COMM_SELF, &request[i]));
    }
    for (i = 49; i >= 0; i--)
        for (k = 0; k < 2; k++) {
            MUST(MPI_Recv(&got, 1, MPI_INT, 0, i, MPI_COMM_SELF, MPI_STATUS_IGNORE));
            EQUAL("value", 2 * i + k, got);
        }
    MUST(MPI_Waitall(100, request, MPI_STATUSES_IGNORE));
    return test_finish();
}
