/* MPI_Scan, MPI_Exscan, MPI_Reduce_scatter and MPI_Reduce_scatter_block: in place, zero and uneven
 * counts, commutative and not. */
#include "../test.h"
#include "comms.h"

static int term(int r, int i) { return (r + 1) * (i % 100 + 1); }
static int upto(int r, int i) { return (r + 1) * (r + 2) / 2 * (i % 100 + 1); }

static void prefix(MPI_Comm comm) {
    static const int counts[] = {0, 1, 10, 1000, 30001};
    int *mine = test_alloc(30001 * sizeof(int)), *got = test_alloc(30002 * sizeof(int)), c, i, form;
    for (c = 0; c < 5; c++)
        for (form = 0; form < 4; form++) {
            int n = counts[c], exclusive = form >= 2;
            for (i = 0; i < n; i++) {
                mine[i] = term(rank, i);
                got[i] = form % 2 ? mine[i] : -1;
            }
            got[n] = -1;
            switch (form) {
                case 0: MUST(MPI_Scan(mine, got, n, MPI_INT, MPI_SUM, comm)); break;
                case 1: MUST(MPI_Scan(MPI_IN_PLACE, got, n, MPI_INT, MPI_SUM, comm)); break;
                case 2: MUST(MPI_Exscan(mine, got, n, MPI_INT, MPI_SUM, comm)); break;
                default: MUST(MPI_Exscan(MPI_IN_PLACE, got, n, MPI_INT, MPI_SUM, comm));
            }
            EQUAL("element after", -1, got[n]);
            if (exclusive && rank == 0) continue;
            for (i = 0; i < n; i++)
                if (got[i] != upto(rank - exclusive, i)) {
                    CHECK(0, "form %d, count %d, element %d: expected %d, got %d", form, n, i,
                          upto(rank - exclusive, i), got[i]);
                    break;
                }
        }
    free(mine);
    free(got);
}

static void block(MPI_Comm comm) {
    static const int counts[] = {0, 1, 7, 500, 20000};
    int c, i, in_place;
    for (c = 0; c < 5; c++) {
        int n = counts[c];
        int *mine = test_alloc((size_t)(n * size) * sizeof(int)), *got = test_alloc((size_t)(n * size + 1) * sizeof(int));
        for (in_place = 0; in_place < 2; in_place++) {
            for (i = 0; i < n * size; i++) {
                mine[i] = term(rank, i);
                got[i] = in_place ? mine[i] : -1;
            }
            MUST(MPI_Reduce_scatter_block(in_place ? MPI_IN_PLACE : (void *)mine, got, n, MPI_INT, MPI_SUM, comm));
            for (i = 0; i < n; i++)
                if (got[i] != upto(size - 1, rank * n + i)) {
                    CHECK(0, "reduce_scatter_block of %d%s, element %d: expected %d, got %d", n,
                          in_place ? " in place" : "", i, upto(size - 1, rank * n + i), got[i]);
                    break;
                }
        }
        free(mine);
        free(got);
    }
}

static void uneven(MPI_Comm comm) {
    static const int scale[] = {1, 30, 4000};
    int k, i, r, in_place, *counts = test_alloc((size_t)size * sizeof(int));
    for (k = 0; k < 3; k++) {
        int words = 0, first = 0, *mine, *got;
        for (r = 0; r < size; r++) {
            counts[r] = r % 3 * scale[k];
            if (r < rank) first += counts[r];
            words += counts[r];
        }
        mine = test_alloc((size_t)words * sizeof(int)), got = test_alloc((size_t)(words + 1) * sizeof(int));
        for (in_place = 0; in_place < 2; in_place++) {
            for (i = 0; i < words; i++) {
                mine[i] = term(rank, i);
                got[i] = in_place ? mine[i] : -1;
            }
            MUST(MPI_Reduce_scatter(in_place ? MPI_IN_PLACE : (void *)mine, got, counts, MPI_INT, MPI_SUM, comm));
            for (i = 0; i < counts[rank]; i++)
                if (got[i] != upto(size - 1, first + i)) {
                    CHECK(0, "reduce_scatter x%d%s, element %d: expected %d, got %d", scale[k],
                          in_place ? " in place" : "", i, upto(size - 1, first + i), got[i]);
                    break;
                }
        }
        free(mine);
        free(got);
    }
    free(counts);
}

int main(int argc, char **argv) {
    test_start(&argc, &argv);
    on_comms(prefix);
    on_comms(block);
    on_comms(uneven);
    return test_finish();
}
