/* A rank that ends in good order without ever calling MPI_Init: nobody waits for it for ever. */
#include "../test.h"
#include <unistd.h>

int main(int argc, char **argv) {
    const char *rank = getenv("PMI_RANK");
    test_deadline = 20;
    if (rank != NULL && strcmp(rank, "1") == 0) return 0;
    test_start(&argc, &argv);
    MPI_Barrier(MPI_COMM_WORLD);
    return test_finish();
}
