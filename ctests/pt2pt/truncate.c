/* A message longer than its receive: MPI_ERR_TRUNCATE at the receiver, no byte written past the
 * buffer, the sender does not notice, and later messages arrive undamaged. */
#include "../test.h"

static void pair(int bytes, int room, int form) {
    unsigned char *buffer = test_alloc((size_t)bytes + 16);
    MPI_Request request;
    MPI_Status status;
    MPI_Message message;
    int i, value = 0;
    if (test_rank == 0) {
        test_fill(buffer, (size_t)bytes, 9);
        if (form == 1) MPI_Barrier(MPI_COMM_WORLD);
        MUST(MPI_Send(buffer, bytes, MPI_BYTE, 1, 1, MPI_COMM_WORLD));
        MUST(MPI_Send(&bytes, 1, MPI_INT, 1, 2, MPI_COMM_WORLD));
        if (form != 1) MPI_Barrier(MPI_COMM_WORLD);
    } else {
        memset(buffer, 0x77, (size_t)bytes + 16);
        if (test_rank == 1) switch (form) {
                case 0: FAILS(MPI_ERR_TRUNCATE, MPI_Recv(buffer, room, MPI_BYTE, 0, 1, MPI_COMM_WORLD, &status)); break;
                case 1:
                    MUST(MPI_Irecv(buffer, room, MPI_BYTE, 0, 1, MPI_COMM_WORLD, &request));
                    MPI_Barrier(MPI_COMM_WORLD);
                    FAILS(MPI_ERR_TRUNCATE, MPI_Wait(&request, &status));
                    CHECK(request == MPI_REQUEST_NULL, "a failed request must be freed");
                    break;
                case 2:
                    MUST(MPI_Irecv(buffer, room, MPI_BYTE, 0, 1, MPI_COMM_WORLD, &request));
                    FAILS(MPI_ERR_IN_STATUS, MPI_Waitall(1, &request, &status));
                    FAILS(MPI_ERR_TRUNCATE, status.MPI_ERROR);
                    break;
                default:
                    MUST(MPI_Mprobe(0, 1, MPI_COMM_WORLD, &message, &status));
                    FAILS(MPI_ERR_TRUNCATE, MPI_Mrecv(buffer, room, MPI_BYTE, &message, &status));
            }
        else if (form == 1)
            MPI_Barrier(MPI_COMM_WORLD);
        if (test_rank == 1) {
            for (i = room; i < bytes + 16; i++)
                if (buffer[i] != 0x77) {
                    CHECK(0, "form %d, %d bytes into %d: byte %d was written", form, bytes, room, i);
                    break;
                }
            MUST(MPI_Recv(&value, 1, MPI_INT, 0, 2, MPI_COMM_WORLD, &status));
            EQUAL("next message", bytes, value);
        }
        if (form != 1) MPI_Barrier(MPI_COMM_WORLD);
    }
    free(buffer);
}

int main(int argc, char **argv) {
    static const int sizes[][2] = {{1, 0},         {8, 4},          {64, 63},        {4096, 10},
                                   {20000, 19999}, {70000, 100},    {1000000, 0},    {1000000, 999999},
                                   {3000000, 5},   {3000000, 70000}};
    int i, form;
    test_start(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    for (i = 0; i < (int)(sizeof sizes / sizeof sizes[0]); i++)
        for (form = 0; form < 4; form++) {
            STEP("truncation");
            pair(sizes[i][0], sizes[i][1], form);
        }
    STEP("to oneself");
    {
        int a[4] = {1, 2, 3, 4}, b[4] = {0, 0, 0, 0};
        MPI_Request request;
        MUST(MPI_Isend(a, 4, MPI_INT, test_rank, 5, MPI_COMM_WORLD, &request));
        FAILS(MPI_ERR_TRUNCATE, MPI_Recv(b, 2, MPI_INT, test_rank, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        MUST(MPI_Wait(&request, MPI_STATUS_IGNORE));
        EQUAL("beyond the buffer", 0, b[2]);
    }
    return test_finish();
}
