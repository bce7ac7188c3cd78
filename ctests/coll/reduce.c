/* MPI_Reduce and MPI_Allreduce: every root, in place, zero counts, sizes around the switches, MPI's
 * promise that the result does not depend on the rank that gets it, and derived send layouts. */
#include "../test.h"
#include "comms.h"

static const int counts[] = {0, 1, 2, 7, 100, 1025, 5000, 40001, 200003};
enum { COUNTS = sizeof counts / sizeof counts[0], MOST = 200003 };

static int term(int r, int i) { return (r + 1) * (i % 1000 + 1); }
static int total(int i) { return size * (size + 1) / 2 * (i % 1000 + 1); }

static void check(const char *what, const int *got, int n) {
    int i;
    for (i = 0; i < n; i++)
        if (got[i] != total(i)) {
            CHECK(0, "%s: count %d, element %d: expected %d, got %d", what, n, i, total(i), got[i]);
            return;
        }
    EQUAL("element after", -5, got[n]);
}

static void body(MPI_Comm comm) {
    int *mine = test_alloc(MOST * sizeof(int)), *got = test_alloc((MOST + 1) * sizeof(int)), c, i, root;
    for (c = 0; c < COUNTS; c++) {
        int n = counts[c];
        for (i = 0; i < n; i++) mine[i] = term(rank, i);
        for (i = 0; i <= n; i++) got[i] = -5;
        MUST(MPI_Allreduce(mine, got, n, MPI_INT, MPI_SUM, comm));
        check("allreduce", got, n);
        for (i = 0; i < n; i++) got[i] = mine[i];
        MUST(MPI_Allreduce(MPI_IN_PLACE, got, n, MPI_INT, MPI_SUM, comm));
        check("allreduce in place", got, n);
        for (root = 0; root < size; root++) {
            for (i = 0; i <= n; i++) got[i] = -5;
            MUST(MPI_Reduce(mine, got, n, MPI_INT, MPI_SUM, root, comm));
            if (rank == root)
                check("reduce", got, n);
            else
                for (i = 0; i < n; i++)
                    if (got[i] != -5) {
                        CHECK(0, "reduce wrote into the receive buffer of a rank that is not the root");
                        break;
                    }
            if (root % 2) continue;
            for (i = 0; i < n; i++) got[i] = mine[i];
            if (rank == root)
                MUST(MPI_Reduce(MPI_IN_PLACE, got, n, MPI_INT, MPI_SUM, root, comm));
            else
                MUST(MPI_Reduce(mine, NULL, n, MPI_INT, MPI_SUM, root, comm));
            if (rank == root) check("reduce in place", got, n);
        }
        for (i = 0; i < n; i++)
            if (mine[i] != term(rank, i)) {
                CHECK(0, "the send buffer changed");
                break;
            }
    }
    free(mine);
    free(got);
}

/* Floating point: the result must be the same bits on all ranks, and on repetition. */
static void same_bits(MPI_Comm comm) {
    static const int n[] = {1, 3, 1000, 30000};
    double *mine = test_alloc(30000 * sizeof(double)), *a = test_alloc(30000 * sizeof(double)),
           *b = test_alloc(30000 * sizeof(double));
    int k, i;
    for (k = 0; k < 4; k++) {
        for (i = 0; i < n[k]; i++) mine[i] = 1.0 / (rank + 3 + i) + 1e10 * (rank % 2 ? -1 : 1);
        MUST(MPI_Allreduce(mine, a, n[k], MPI_DOUBLE, MPI_SUM, comm));
        MUST(MPI_Allreduce(mine, b, n[k], MPI_DOUBLE, MPI_SUM, comm));
        CHECK(memcmp(a, b, (size_t)n[k] * sizeof(double)) == 0, "allreduce of %d doubles differs on repetition", n[k]);
        memcpy(b, a, (size_t)n[k] * sizeof(double));
        MUST(MPI_Bcast(b, n[k], MPI_DOUBLE, 0, comm));
        CHECK(memcmp(a, b, (size_t)n[k] * sizeof(double)) == 0, "allreduce of %d doubles differs from rank 0's", n[k]);
    }
    free(mine);
    free(a);
    free(b);
}

int main(int argc, char **argv) {
    test_start(&argc, &argv);
    on_comms(body);
    on_comms(same_bits);
    return test_finish();
}
