/* A rank may send before the others have called MPI_Init: a late one finds what was sent. */
#include "../test.h"
#include <time.h>

int main(int argc, char **argv) {
    const char *rank = getenv("PMI_RANK");
    struct timespec t;
    int i, word, large[20000];
    t.tv_sec = 0, t.tv_nsec = 300000000;
    if (rank != NULL && strcmp(rank, "0") != 0) nanosleep(&t, NULL);
    test_start(&argc, &argv);
    STEP("small and large from rank 0");
    for (i = 0; i < 20000; i++) large[i] = test_rank == 0 ? i : -1;
    if (test_rank == 0) {
        for (i = 1; i < test_size; i++) {
            MUST(MPI_Send(&i, 1, MPI_INT, i, 1, MPI_COMM_WORLD));
            MUST(MPI_Send(large, 20000, MPI_INT, i, 2, MPI_COMM_WORLD));
        }
    } else {
        MUST(MPI_Recv(&word, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        EQUAL("small", test_rank, word);
        MUST(MPI_Recv(large, 20000, MPI_INT, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        EQUAL("large", 19999, large[19999]);
    }
    return test_finish();
}
