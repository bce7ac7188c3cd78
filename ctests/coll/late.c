/* The last rank is late while the others run ahead through operations in which they wait for nobody behind them: what it
 * has not read yet must still be there, also when the operation that follows is of another kind. */
#include "../test.h"
#include <time.h>

/* Short operations by which a rank may be ahead; with the long one, rounds begin at every number modulo 8. */
enum { LONG = 4096, AHEAD = 16, ROUNDS = 24 };

static void exscan(int *send, int *recv, int count) {
    int i, before = test_rank * (test_rank - 1) / 2;
    STEP("exscan");
    for (i = 0; i < count; i++) send[i] = test_rank + i * test_size;
    MUST(MPI_Exscan(send, recv, count, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    for (i = 0; i < count && test_rank > 0; i++) EQUAL("exscan", before + test_rank * i * test_size, recv[i]);
}

int main(int argc, char **argv) {
    static int send[LONG], recv[LONG];
    struct timespec nap = {0, 3000000};
    int round, k;
    test_start(&argc, &argv);
    for (round = 0; round < ROUNDS; round++) {
        if (test_rank == test_size - 1) nanosleep(&nap, NULL);
        for (k = 0; k < AHEAD; k++) exscan(send, recv, 1);
        exscan(send, recv, LONG);
    }
    return test_finish();
}
