/* Collectives whose ranks disagree about the size, where the one that has too little room can see it:
 * MPI_ERR_TRUNCATE there, an error at those who should have had the data from it, no byte written past the
 * buffer, and no hang. With more than two ranks only sizes at which all choose the same algorithm: where
 * they choose different ones some wait for ever, unless the error is fatal (mismatch_fatal). */
#include "../test.h"
#include "quiet.h"

/* Each case uses a communicator of its own, because a broken collective may leave it unusable. */
static MPI_Comm fresh(void) {
    MPI_Comm comm;
    MUST(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    return comm;
}

/* The call fails: with MPI_ERR_TRUNCATE where the data comes from the root itself. */
static void fails(const char *call, int error, int direct) {
    int class_ = MPI_SUCCESS;
    MPI_Error_class(error, &class_);
    if (direct)
        EQUAL(call, MPI_ERR_TRUNCATE, class_);
    else
        CHECK(class_ != MPI_SUCCESS, "%s succeeded", call);
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
    int i, k, cases;
    MPI_Comm comm;
    test_start(&argc, &argv);
    errors_return();
    cases = test_size == 2 ? 2 : 1;
    for (k = 0; k < cases; k++) {
        int n = lengths[k];
        STEP("bcast");
        comm = fresh();
        for (i = 0; i < 1000; i++) buffer[i] = -1;
        if (test_rank == 0)
            MUST(MPI_Bcast(out, n, MPI_INT, 0, comm));
        else {
            fails("MPI_Bcast", MPI_Bcast(buffer, 10, MPI_INT, 0, comm), test_rank == 1);
            intact(buffer, 10);
        }
        STEP("gather");
        comm = fresh();
        if (test_rank == 0) {
            for (i = 0; i < 1000; i++) buffer[i] = -1;
            FAILS(MPI_ERR_TRUNCATE, MPI_Gather(out, 5, MPI_INT, buffer, 5, MPI_INT, 0, comm));
            intact(buffer, 5 * test_size);
        } else
            MPI_Gather(out, n, MPI_INT, NULL, 0, MPI_INT, 0, comm);
        STEP("scatter");
        comm = fresh();
        if (test_rank == 0)
            MUST(MPI_Scatter(out, n, MPI_INT, buffer, n, MPI_INT, 0, comm));
        else {
            for (i = 0; i < 1000; i++) buffer[i] = -1;
            fails("MPI_Scatter", MPI_Scatter(NULL, 0, MPI_INT, buffer, 7, MPI_INT, 0, comm), test_rank == 1);
            intact(buffer, 7);
        }
    }
    STEP("the world still works");
    MUST(MPI_Allreduce(&test_rank, &i, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD));
    EQUAL("maximum", test_size - 1, i);
    return test_finish();
}
