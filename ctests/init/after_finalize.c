/* A rank that fails after MPI_Finalize: nobody needs it any more, so the others finish what they do, and
 * the launcher ends with the code of the one that failed. */
#include "../test.h"
#include <time.h>

int main(int argc, char **argv) {
    struct timespec t;
    int last;
    test_deadline = 20;
    test_start(&argc, &argv);
    last = test_rank == test_size - 1;
    MPI_Finalize();
    if (last && argc > 1) raise(SIGKILL);
    if (last) return 3;
    t.tv_sec = 1, t.tv_nsec = 500000000;
    nanosleep(&t, NULL);
    fprintf(stderr, "rank %d has finished\n", test_rank);
    return 0;
}
