/* Collectives whose ranks disagree about the size, where the one that has too little room can see it:
 * MPI_ERR_TRUNCATE there, no byte written past the buffer, and no hang. Two ranks: with more, the
 * damage an erroneous program does to the others is not defined. */
#include "../test.h"
#include "quiet.h"

/* Each case uses a communicator of its own, because a broken collective may leave it unusable. */
static MPI_Comm fresh(void) {
    MPI_Comm comm;
    MUST(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    return comm;
}

static void intact(const int *buffer, int from) {
    int i;
    for (i = from; i < 1000; i++)
        if (buffer[i] != -1) {
            CHECK(0, "word %d beyond the buffer of %d was written", i, from);
            return;
        }
}

int main(int argc, char **argv) {
    static int buffer[100000], out[100000];
    static const int lengths[] = {100, 50000};
    int i, k;
    MPI_Comm comm;
    test_start(&argc, &argv);
    errors_return();
    for (k = 0; k < 2; k++) {
        int n = lengths[k];
        STEP("bcast");
        comm = fresh();
        for (i = 0; i < 1000; i++) buffer[i] = -1;
        if (test_rank == 0)
            MUST(MPI_Bcast(out, n, MPI_INT, 0, comm));
        else {
            FAILS(MPI_ERR_TRUNCATE, MPI_Bcast(buffer, 10, MPI_INT, 0, comm));
            intact(buffer, 10);
        }
        STEP("gather");
        comm = fresh();
        if (test_rank == 0) {
            for (i = 0; i < 1000; i++) buffer[i] = -1;
            FAILS(MPI_ERR_TRUNCATE, MPI_Gather(out, 5, MPI_INT, buffer, 5, MPI_INT, 0, comm));
            intact(buffer, 10);
        } else
            MPI_Gather(out, n, MPI_INT, NULL, 0, MPI_INT, 0, comm);
        STEP("scatter");
        comm = fresh();
        if (test_rank == 0)
            MUST(MPI_Scatter(out, n, MPI_INT, buffer, n, MPI_INT, 0, comm));
        else {
            for (i = 0; i < 1000; i++) buffer[i] = -1;
            FAILS(MPI_ERR_TRUNCATE, MPI_Scatter(NULL, 0, MPI_INT, buffer, 7, MPI_INT, 0, comm));
            intact(buffer, 7);
        }
    }
    STEP("the world still works");
    MUST(MPI_Allreduce(&test_rank, &i, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD));
    EQUAL("maximum", test_size - 1, i);
    return test_finish();
}
