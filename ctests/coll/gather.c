/* MPI_Gather(v) and MPI_Scatter(v): every root, in place, zero and uneven counts, gaps between the
 * parts, derived types on the root's side, arguments that only the root may need left out elsewhere. */
#include "../test.h"
#include "comms.h"

static int word(int r, int i) { return r * 100000 + i; }

static void even(MPI_Comm comm) {
    static const int counts[] = {0, 1, 5, 300, 20000, 70001};
    int c, i, r, root;
    for (c = 0; c < 6; c++) {
        int n = counts[c];
        int *mine = test_alloc(((size_t)n + 1) * sizeof(int)), *all = test_alloc((size_t)(n * size + 1) * sizeof(int));
        for (root = 0; root < size; root++) {
            int in_place = root % 2;
            for (i = 0; i < n; i++) mine[i] = word(rank, i);
            if (rank == root) {
                for (i = 0; i <= n * size; i++) all[i] = -1;
                if (in_place)
                    for (i = 0; i < n; i++) all[rank * n + i] = mine[i];
                MUST(MPI_Gather(in_place ? MPI_IN_PLACE : (void *)mine, n, MPI_INT, all, n, MPI_INT, root, comm));
                for (r = 0; r < size; r++)
                    for (i = 0; i < n; i++)
                        if (all[r * n + i] != word(r, i)) {
                            CHECK(0, "gather of %d to %d: from %d word %d: expected %d, got %d", n, root, r, i,
                                  word(r, i), all[r * n + i]);
                            i = n, r = size;
                        }
                EQUAL("word after", -1, all[n * size]);
            } else
                MUST(MPI_Gather(mine, n, MPI_INT, NULL, -7, MPI_DATATYPE_NULL, root, comm));
            for (i = 0; i <= n; i++) mine[i] = -1;
            if (rank == root) {
                for (r = 0; r < size; r++)
                    for (i = 0; i < n; i++) all[r * n + i] = word(r + root, i);
                MUST(MPI_Scatter(all, n, MPI_INT, in_place ? MPI_IN_PLACE : (void *)mine, n, MPI_INT, root, comm));
            } else
                MUST(MPI_Scatter(NULL, -7, MPI_DATATYPE_NULL, mine, n, MPI_INT, root, comm));
            if (rank != root || !in_place)
                for (i = 0; i < n; i++)
                    if (mine[i] != word(rank + root, i)) {
                        CHECK(0, "scatter of %d from %d: word %d: expected %d, got %d", n, root, i,
                              word(rank + root, i), mine[i]);
                        break;
                    }
            EQUAL("word after", -1, mine[n]);
        }
        free(mine);
        free(all);
    }
}

/* Rank r contributes r % 3 * 50 + r words; parts lie backwards with gaps of 2. */
static int part(int r) { return r % 3 * 50 + r; }

static void uneven(MPI_Comm comm) {
    int root, r, i, words = 0, n = part(rank);
    int *counts = test_alloc((size_t)size * sizeof(int)), *places = test_alloc((size_t)size * sizeof(int)), *all, *mine;
    for (r = size - 1; r >= 0; r--) {
        counts[r] = part(r);
        places[r] = words + 2;
        words += counts[r] + 2;
    }
    all = test_alloc((size_t)(words + 2) * sizeof(int)), mine = test_alloc((size_t)(n + 1) * sizeof(int));
    for (root = 0; root < size; root++) {
        int in_place = root % 2;
        for (i = 0; i < n; i++) mine[i] = word(rank, i);
        if (rank == root) {
            for (i = 0; i < words + 2; i++) all[i] = -1;
            if (in_place)
                for (i = 0; i < n; i++) all[places[rank] + i] = mine[i];
            MUST(MPI_Gatherv(in_place ? MPI_IN_PLACE : (void *)mine, n, MPI_INT, all, counts, places, MPI_INT, root,
                             comm));
            for (r = 0; r < size; r++) {
                for (i = 0; i < counts[r]; i++)
                    if (all[places[r] + i] != word(r, i)) {
                        CHECK(0, "gatherv to %d: from %d word %d: expected %d, got %d", root, r, i, word(r, i),
                              all[places[r] + i]);
                        break;
                    }
                EQUAL("gap before a part", -1, all[places[r] - 1]);
                EQUAL("gap after a part", -1, all[places[r] + counts[r]]);
            }
        } else
            MUST(MPI_Gatherv(mine, n, MPI_INT, NULL, NULL, NULL, MPI_DATATYPE_NULL, root, comm));
        for (i = 0; i <= n; i++) mine[i] = -1;
        if (rank == root) {
            for (r = 0; r < size; r++)
                for (i = 0; i < counts[r]; i++) all[places[r] + i] = word(r + root, i);
            MUST(MPI_Scatterv(all, counts, places, MPI_INT, in_place ? MPI_IN_PLACE : (void *)mine, n, MPI_INT, root,
                              comm));
        } else
            MUST(MPI_Scatterv(NULL, NULL, NULL, MPI_DATATYPE_NULL, mine, n, MPI_INT, root, comm));
        if (rank != root || !in_place)
            for (i = 0; i < n; i++)
                if (mine[i] != word(rank + root, i)) {
                    CHECK(0, "scatterv from %d: word %d: expected %d, got %d", root, i, word(rank + root, i), mine[i]);
                    break;
                }
        EQUAL("word after", -1, mine[n]);
    }
    free(counts);
    free(places);
    free(all);
    free(mine);
}

/* The root keeps a matrix with one column per rank: gather rows into columns and scatter them back. */
static void columns(MPI_Comm comm) {
    enum { ROWS = 200 };
    int *matrix = test_alloc((size_t)(ROWS * size) * sizeof(int)), mine[ROWS], i, r, root;
    MPI_Datatype tall, column;
    MUST(MPI_Type_vector(ROWS, 1, size, MPI_INT, &tall));
    MUST(MPI_Type_create_resized(tall, 0, sizeof(int), &column));
    MUST(MPI_Type_commit(&column));
    for (root = 0; root < size; root++) {
        for (i = 0; i < ROWS; i++) mine[i] = word(rank, i);
        for (i = 0; i < ROWS * size; i++) matrix[i] = -1;
        MUST(MPI_Gather(mine, ROWS, MPI_INT, matrix, 1, column, root, comm));
        if (rank == root)
            for (i = 0; i < ROWS; i++)
                for (r = 0; r < size; r++)
                    if (matrix[i * size + r] != word(r, i)) {
                        CHECK(0, "column %d row %d: expected %d, got %d", r, i, word(r, i), matrix[i * size + r]);
                        i = ROWS, r = size;
                    }
        memset(mine, 0, sizeof mine);
        MUST(MPI_Scatter(matrix, 1, column, mine, ROWS, MPI_INT, root, comm));
        EQUAL("last row of my column", word(rank, ROWS - 1), mine[ROWS - 1]);
        EQUAL("first row of my column", word(rank, 0), mine[0]);
    }
    MUST(MPI_Type_free(&tall));
    MUST(MPI_Type_free(&column));
    free(matrix);
}

int main(int argc, char **argv) {
    test_start(&argc, &argv);
    on_comms(even);
    on_comms(uneven);
    on_comms(columns);
    return test_finish();
}
