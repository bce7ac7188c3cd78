/* Messages of no elements need no datatype: MPI_DATATYPE_NULL with a count of 0 in every point-to-point call.
 * Collectives want one all the same. */
#include "../test.h"
#include "../errors/quiet.h"

/* Open MPI 5.0 has MPI-4.0's calls and says that it is 3.1. */
#if defined(OMPI_MAJOR_VERSION) && OMPI_MAJOR_VERSION >= 5
#define TEST_MPI 4
#else
#define TEST_MPI MPI_VERSION
#endif

static const MPI_Datatype none = MPI_DATATYPE_NULL;
static MPI_Status status;

static void arrived(const char *what, int from, int tag) { CHECK_STATUS(what, &status, from, tag, MPI_BYTE, 0); }

int main(int argc, char **argv) {
    int to, from, i, word = 0;
    char buffer[1000];
    MPI_Comm comm = MPI_COMM_WORLD;
    MPI_Request request[2];
    MPI_Message message;
    void *detached;
    test_start(&argc, &argv);
    errors_return();
    to = (test_rank + 1) % test_size;
    from = (test_rank + test_size - 1) % test_size;
    STEP("blocking");
    MUST(MPI_Buffer_attach(buffer, sizeof buffer));
    MUST(MPI_Irecv(NULL, 0, none, from, 1, comm, &request[0]));
    MUST(MPI_Send(NULL, 0, none, to, 1, comm));
    MUST(MPI_Wait(&request[0], &status));
    arrived("MPI_Send", from, 1);
    MUST(MPI_Bsend(NULL, 0, none, to, 2, comm));
    MUST(MPI_Recv(NULL, 0, none, from, 2, comm, &status));
    arrived("MPI_Bsend", from, 2);
    MUST(MPI_Irecv(NULL, 0, none, from, 3, comm, &request[0]));
    MUST(MPI_Barrier(comm));
    MUST(MPI_Rsend(NULL, 0, none, to, 3, comm));
    MUST(MPI_Wait(&request[0], &status));
    MUST(MPI_Irecv(NULL, 0, none, from, 3, comm, &request[0]));
    MUST(MPI_Ssend(NULL, 0, none, to, 3, comm));
    MUST(MPI_Wait(&request[0], &status));
    arrived("MPI_Ssend", from, 3);
    MUST(MPI_Sendrecv(NULL, 0, none, to, 4, NULL, 0, none, from, 4, comm, &status));
    arrived("MPI_Sendrecv", from, 4);
    MUST(MPI_Sendrecv_replace(NULL, 0, none, to, 4, from, 4, comm, &status));
    arrived("MPI_Sendrecv_replace", from, 4);
    MUST(MPI_Recv(NULL, 0, none, MPI_PROC_NULL, 4, comm, &status));
    MUST(MPI_Send(NULL, 0, none, MPI_PROC_NULL, 4, comm));
    STEP("nonblocking");
    MUST(MPI_Isend(NULL, 0, none, to, 5, comm, &request[0]));
    MUST(MPI_Mprobe(from, 5, comm, &message, &status));
    MUST(MPI_Mrecv(NULL, 0, none, &message, &status));
    arrived("MPI_Mrecv", from, 5);
    MUST(MPI_Wait(&request[0], MPI_STATUS_IGNORE));
    MUST(MPI_Issend(NULL, 0, none, to, 6, comm, &request[0]));
    MUST(MPI_Mprobe(from, 6, comm, &message, &status));
    MUST(MPI_Imrecv(NULL, 0, none, &message, &request[1]));
    MUST(MPI_Waitall(2, request, MPI_STATUSES_IGNORE));
    MUST(MPI_Ibsend(NULL, 0, none, to, 7, comm, &request[0]));
    MUST(MPI_Irecv(NULL, 0, none, from, 7, comm, &request[1]));
    MUST(MPI_Waitall(2, request, MPI_STATUSES_IGNORE));
    MUST(MPI_Irecv(NULL, 0, none, from, 7, comm, &request[1]));
    MUST(MPI_Barrier(comm));
    MUST(MPI_Irsend(NULL, 0, none, to, 7, comm, &request[0]));
    MUST(MPI_Waitall(2, request, MPI_STATUSES_IGNORE));
    STEP("persistent");
    MUST(MPI_Recv_init(NULL, 0, none, from, 8, comm, &request[1]));
    for (i = 0; i < 4; i++) {
        if (i == 0) MUST(MPI_Send_init(NULL, 0, none, to, 8, comm, &request[0]));
        if (i == 1) MUST(MPI_Bsend_init(NULL, 0, none, to, 8, comm, &request[0]));
        if (i == 2) MUST(MPI_Ssend_init(NULL, 0, none, to, 8, comm, &request[0]));
        if (i == 3) MUST(MPI_Rsend_init(NULL, 0, none, to, 8, comm, &request[0]));
        MUST(MPI_Start(&request[1]));
        MUST(MPI_Barrier(comm));
        MUST(MPI_Start(&request[0]));
        MUST(MPI_Waitall(2, request, MPI_STATUSES_IGNORE));
        MUST(MPI_Request_free(&request[0]));
    }
    MUST(MPI_Request_free(&request[1]));
#if TEST_MPI >= 4
    MUST(MPI_Isendrecv(NULL, 0, none, to, 9, NULL, 0, none, from, 9, comm, &request[0]));
    MUST(MPI_Wait(&request[0], MPI_STATUS_IGNORE));
    MUST(MPI_Isendrecv_replace(NULL, 0, none, to, 9, from, 9, comm, &request[0]));
    MUST(MPI_Wait(&request[0], MPI_STATUS_IGNORE));
    STEP("partitioned");
    MUST(MPI_Psend_init(NULL, 2, 0, none, to, 10, comm, MPI_INFO_NULL, &request[0]));
    MUST(MPI_Precv_init(NULL, 2, 0, none, from, 10, comm, MPI_INFO_NULL, &request[1]));
    MUST(MPI_Startall(2, request));
    MUST(MPI_Pready_range(0, 1, request[0]));
    MUST(MPI_Waitall(2, request, MPI_STATUSES_IGNORE));
    MUST(MPI_Request_free(&request[0]));
    MUST(MPI_Request_free(&request[1]));
#endif
    MUST(MPI_Buffer_detach(&detached, &i));
    STEP("elements of no type");
    FAILS(MPI_ERR_TYPE, MPI_Send(&word, 1, none, to, 11, comm));
    FAILS(MPI_ERR_COUNT, MPI_Send(&word, -1, MPI_BYTE, to, 11, comm));
    CHECK(MPI_Send(&word, -1, none, to, 11, comm) != MPI_SUCCESS, "a negative count of no type");
    STEP("collectives");
    FAILS(MPI_ERR_TYPE, MPI_Bcast(NULL, 0, none, 0, comm));
    FAILS(MPI_ERR_TYPE, MPI_Allgather(NULL, 0, none, NULL, 0, none, comm));
    FAILS(MPI_ERR_TYPE, MPI_Alltoall(NULL, 0, none, NULL, 0, none, comm));
    FAILS(MPI_ERR_TYPE, MPI_Ibcast(NULL, 0, none, 0, comm, &request[0]));
    return test_finish();
}
