/* One collective, chosen by the argument, whose ranks disagree about the size so much that they choose
 * different algorithms: under the default handler the first rank that sees it must end the job. */
#include "../test.h"

int main(int argc, char **argv) {
    enum { SHORT = 10, LONG = 50000, RANKS = 8 };
    static int from[LONG * RANKS], to[LONG * RANKS];
    const char *which;
    int n;
    test_deadline = 20;
    test_start(&argc, &argv);
    which = argc > 1 ? argv[1] : "bcast";
    n = test_rank == 0 ? LONG : SHORT;
    if (argc > 2) n = SHORT + LONG - n;
    STEP("the error");
    if (strcmp(which, "bcast") == 0) MPI_Bcast(from, n, MPI_INT, 0, MPI_COMM_WORLD);
    if (strcmp(which, "gather") == 0) MPI_Gather(from, n, MPI_INT, to, n, MPI_INT, 0, MPI_COMM_WORLD);
    if (strcmp(which, "scatter") == 0) MPI_Scatter(from, n, MPI_INT, to, n, MPI_INT, 0, MPI_COMM_WORLD);
    if (strcmp(which, "allgather") == 0) MPI_Allgather(from, n, MPI_INT, to, n, MPI_INT, MPI_COMM_WORLD);
    if (strcmp(which, "alltoall") == 0) MPI_Alltoall(from, n, MPI_INT, to, n, MPI_INT, MPI_COMM_WORLD);
    if (strcmp(which, "reduce") == 0) MPI_Reduce(from, to, n, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (strcmp(which, "allreduce") == 0) MPI_Allreduce(from, to, n, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (strcmp(which, "scan") == 0) MPI_Scan(from, to, n, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    STEP("waiting for the rank that errs");
    MPI_Barrier(MPI_COMM_WORLD);
    printf("the error did not end this rank\n");
    return test_finish();
}
