/* Cancelling sends (MPI-5.0, 3.8.4): MPI_Wait returns whatever the receiver does, either because the
 * receiver has lost the message or because it has got it. A long message and a synchronous one, whose match
 * is waited for, can be taken back while they have met no receive, whether or not they have left already. */
#include "../test.h"

enum { N = 300000 };
static char out[N], in[N];

static int end(MPI_Request *request) {
    MPI_Status status;
    int flag;
    MUST(MPI_Wait(request, &status));
    MUST(MPI_Test_cancelled(&status, &flag));
    CHECK(*request == MPI_REQUEST_NULL, "request not null after wait");
    return flag;
}

/* The receiver takes part in nothing but barriers, then looks: the message must be there or not. */
static void unmet(int tag, int bytes, int synchronous) {
    MPI_Request request;
    int cancelled = 0, there;
    if (test_rank == 0) {
        if (synchronous)
            MUST(MPI_Issend(out, bytes, MPI_CHAR, 1, tag, MPI_COMM_WORLD, &request));
        else
            MUST(MPI_Isend(out, bytes, MPI_CHAR, 1, tag, MPI_COMM_WORLD, &request));
        MUST(MPI_Cancel(&request));
        cancelled = end(&request);
        if (synchronous || bytes > 100000) EQUAL("cancelled", 1, cancelled);
    }
    MUST(MPI_Bcast(&cancelled, 1, MPI_INT, 0, MPI_COMM_WORLD));
    if (test_rank == 1) {
        MUST(MPI_Iprobe(0, tag, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE));
        EQUAL("message there", !cancelled, there);
        if (there) MUST(MPI_Recv(in, N, MPI_CHAR, 0, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    }
}

int main(int argc, char **argv) {
    static const int sizes[] = {0, 10, 1000, 50000, 200000, N};
    MPI_Request request[20];
    int i, k;
    test_start(&argc, &argv);
    STEP("unmet");
    for (k = 0; k < 2; k++)
        for (i = 0; i < 6; i++) unmet(10 + i, sizes[i], k);
    STEP("to oneself: taken back on the spot");
    {
        MPI_Status status;
        int flag;
        MUST(MPI_Issend(out, 1, MPI_CHAR, test_rank, 5, MPI_COMM_WORLD, &request[0]));
        MUST(MPI_Probe(test_rank, 5, MPI_COMM_WORLD, &status));
        MUST(MPI_Cancel(&request[0]));
        MUST(MPI_Request_get_status(request[0], &flag, &status));
        EQUAL("complete", 1, !!flag);
        MUST(MPI_Test_cancelled(&status, &flag));
        EQUAL("taken back", 1, !!flag);
        MUST(MPI_Wait(&request[0], &status));
    }
    STEP("met");
    memset(out, 1, N);
    if (test_rank == 1) {
        MUST(MPI_Irecv(in, N, MPI_CHAR, 0, 30, MPI_COMM_WORLD, &request[0]));
        MPI_Barrier(MPI_COMM_WORLD);
        MUST(MPI_Wait(&request[0], MPI_STATUS_IGNORE));
        for (i = 0; i < N; i++)
            if (in[i] != 1) {
                CHECK(0, "byte %d did not arrive", i);
                break;
            }
    } else {
        MPI_Barrier(MPI_COMM_WORLD);
        if (test_rank == 0) {
            MUST(MPI_Isend(out, N, MPI_CHAR, 1, 30, MPI_COMM_WORLD, &request[0]));
            MUST(MPI_Cancel(&request[0]));
            EQUAL("a message that has met its receive is not cancelled", 0, end(&request[0]));
        }
    }
    STEP("every second of many");
    if (test_rank == 0) {
        for (i = 0; i < 20; i++) {
            out[i] = (char)i;
            MUST(MPI_Issend(out + i, i % 3 ? 1 : N - i, MPI_CHAR, 1, 40, MPI_COMM_WORLD, &request[i]));
        }
        for (i = 19; i > 0; i -= 2) MUST(MPI_Cancel(&request[i]));
        for (i = 1; i < 20; i += 2) EQUAL("taken back", 1, end(&request[i]));
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (test_rank == 1)
        for (i = 0; i < 20; i += 2) {
            MUST(MPI_Recv(in, N, MPI_CHAR, 0, 40, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
            EQUAL("those that were left come in order", i, in[0]);
        }
    if (test_rank == 0)
        for (i = 0; i < 20; i += 2) MUST(MPI_Wait(&request[i], MPI_STATUS_IGNORE));
    return test_finish();
}
