/* A synchronous send completes only after its receive has been posted. Rank 0 sends, rank 1 waits
 * before it receives and tells by a counter in the messages' order that the send was still open. */
#include "../test.h"
#include <time.h>

static void pause_ms(long ms) {
    struct timespec t;
    t.tv_sec = ms / 1000, t.tv_nsec = ms % 1000 * 1000000;
    nanosleep(&t, NULL);
}

int main(int argc, char **argv) {
    static const int sizes[] = {0, 4, 64, 2000, 20000, 100000, 1000000};
    int i, flag, go = 0;
    char *buffer = test_alloc(1000000);
    MPI_Request request;
    MPI_Status status;
    test_start(&argc, &argv);
    for (i = 0; i < (int)(sizeof sizes / sizeof sizes[0]); i++) {
        STEP("issend stays open");
        if (test_rank == 0) {
            int k;
            MUST(MPI_Issend(buffer, sizes[i], MPI_BYTE, 1, 1, MPI_COMM_WORLD, &request));
            for (k = 0; k < 20; k++) {
                MUST(MPI_Test(&request, &flag, &status));
                CHECK(!flag, "issend of %d bytes was complete before any receive", sizes[i]);
                if (flag) break;
                pause_ms(1);
            }
            MUST(MPI_Send(&go, 1, MPI_INT, 1, 2, MPI_COMM_WORLD));
            MUST(MPI_Wait(&request, MPI_STATUS_IGNORE));
        } else if (test_rank == 1) {
            MUST(MPI_Recv(&go, 1, MPI_INT, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
            MUST(MPI_Recv(buffer, sizes[i], MPI_BYTE, 0, 1, MPI_COMM_WORLD, &status));
            CHECK_STATUS("receive", &status, 0, 1, MPI_BYTE, sizes[i]);
        }
        STEP("ssend blocks");
        if (test_rank == 0) {
            /* Both ranks are on one machine: MPI_Wtime differences of one rank are enough. */
            double begin;
            MPI_Barrier(MPI_COMM_WORLD);
            begin = MPI_Wtime();
            MUST(MPI_Ssend(buffer, sizes[i], MPI_BYTE, 1, 3, MPI_COMM_WORLD));
            CHECK(MPI_Wtime() - begin > 0.02, "ssend of %d bytes took %g s, the receive came 0.05 s later", sizes[i],
                  MPI_Wtime() - begin);
        } else {
            MPI_Barrier(MPI_COMM_WORLD);
            if (test_rank == 1) {
                pause_ms(50);
                MUST(MPI_Recv(buffer, sizes[i], MPI_BYTE, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
            }
        }
    }
    free(buffer);
    return test_finish();
}
