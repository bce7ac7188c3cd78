/* Buffered sends without enough room: MPI_ERR_BUFFER, nothing sent, and the buffer still works. */
#include "../test.h"
#include "quiet.h"

int main(int argc, char **argv) {
    enum { ROOM = 10000 };
    char *room = test_alloc(ROOM), *big = test_alloc(2 * ROOM);
    int flag, length, data[10] = {0};
    void *detached;
    MPI_Request request;
    test_start(&argc, &argv);
    errors_return();
    STEP("no buffer attached");
    FAILS(MPI_ERR_BUFFER, MPI_Bsend(data, 10, MPI_INT, test_rank, 0, MPI_COMM_WORLD));
    FAILS(MPI_ERR_BUFFER, MPI_Ibsend(data, 10, MPI_INT, test_rank, 0, MPI_COMM_WORLD, &request));
    MUST(MPI_Iprobe(test_rank, 0, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE));
    EQUAL("nothing sent", 0, flag);
    STEP("too small");
    MUST(MPI_Buffer_attach(room, ROOM));
    FAILS(MPI_ERR_BUFFER, MPI_Bsend(big, 2 * ROOM, MPI_BYTE, test_rank, 0, MPI_COMM_WORLD));
    FAILS(MPI_ERR_BUFFER, MPI_Bsend(big, ROOM, MPI_BYTE, test_rank, 0, MPI_COMM_WORLD));
    MUST(MPI_Iprobe(test_rank, 0, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE));
    EQUAL("nothing sent", 0, flag);
    MUST(MPI_Bsend(data, 10, MPI_INT, test_rank, 0, MPI_COMM_WORLD));
    MUST(MPI_Recv(data, 10, MPI_INT, test_rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    STEP("attach twice");
    FAILS_EITHER(MPI_ERR_BUFFER, MPI_ERR_OTHER, MPI_Buffer_attach(big, ROOM));
    FAILS_EITHER(MPI_ERR_ARG, MPI_ERR_BUFFER, MPI_Buffer_attach(big, -1));
    MUST(MPI_Buffer_detach(&detached, &length));
    CHECK(detached == room && length == ROOM, "detach gave something else");
    free(room);
    free(big);
    return test_finish();
}
