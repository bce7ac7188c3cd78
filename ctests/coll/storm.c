/* More ranks than cores: thousands of small collectives of every kind must not crawl. The bound on the
 * wall time is loose for a loaded machine and far below what one lost time slice a call would cost. */
#include "../test.h"

enum { ROUNDS = 1500 };
static const double BOUND = 25.0;

int main(int argc, char **argv) {
    int i, word, sum, all[64], out[64], n;
    double begin, used;
    test_start(&argc, &argv);
    n = test_size;
    MPI_Barrier(MPI_COMM_WORLD);
    begin = MPI_Wtime();
    for (i = 0; i < ROUNDS; i++) {
        int k, root = i % n;
        STEP("barrier");
        MUST(MPI_Barrier(MPI_COMM_WORLD));
        STEP("bcast");
        word = test_rank == root ? i : -1;
        MUST(MPI_Bcast(&word, 1, MPI_INT, root, MPI_COMM_WORLD));
        EQUAL("bcast", i, word);
        STEP("allreduce");
        word = test_rank + i;
        MUST(MPI_Allreduce(&word, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
        EQUAL("allreduce", n * (n - 1) / 2 + n * i, sum);
        STEP("reduce");
        MUST(MPI_Reduce(&word, &sum, 1, MPI_INT, MPI_MAX, root, MPI_COMM_WORLD));
        if (test_rank == root) EQUAL("reduce", n - 1 + i, sum);
        STEP("allgather");
        MUST(MPI_Allgather(&word, 1, MPI_INT, all, 1, MPI_INT, MPI_COMM_WORLD));
        EQUAL("allgather", i + n - 1, all[n - 1]);
        STEP("alltoall");
        for (k = 0; k < n; k++) out[k] = test_rank * 100 + k;
        MUST(MPI_Alltoall(out, 1, MPI_INT, all, 1, MPI_INT, MPI_COMM_WORLD));
        EQUAL("alltoall", (n - 1) * 100 + test_rank, all[n - 1]);
        STEP("gather and scatter");
        MUST(MPI_Gather(&word, 1, MPI_INT, all, 1, MPI_INT, root, MPI_COMM_WORLD));
        MUST(MPI_Scatter(all, 1, MPI_INT, &sum, 1, MPI_INT, root, MPI_COMM_WORLD));
        EQUAL("gathered and scattered", word, sum);
        STEP("scan");
        MUST(MPI_Scan(&word, &sum, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD));
        EQUAL("scan", word, sum);
        if (test_errors > TEST_SHOWN) break;
    }
    used = MPI_Wtime() - begin;
    if (test_rank == 0) CHECK(used < BOUND, "%d rounds took %.1f s, the bound is %.0f s", ROUNDS, used, BOUND);
    return test_finish();
}
