/* MPI_Allgather and MPI_Allgatherv: in place, zero and uneven counts, gaps, derived types. */
#include "../test.h"
#include "comms.h"

static int word(int r, int i) { return r * 100000 + i; }
static int part(int r) { return r % 4 * 60 + (r == 1 ? 9000 : 0); }

static void even(MPI_Comm comm) {
    static const int counts[] = {0, 1, 3, 100, 2000, 10001, 60000};
    int c, i, r, in_place;
    for (c = 0; c < 7; c++) {
        int n = counts[c];
        int *mine = test_alloc((size_t)n * sizeof(int)), *all = test_alloc((size_t)(n * size + 1) * sizeof(int));
        for (in_place = 0; in_place < 2; in_place++) {
            for (i = 0; i <= n * size; i++) all[i] = -1;
            for (i = 0; i < n; i++) mine[i] = word(rank, i);
            if (in_place)
                for (i = 0; i < n; i++) all[rank * n + i] = mine[i];
            if (in_place)
                MUST(MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all, n, MPI_INT, comm));
            else
                MUST(MPI_Allgather(mine, n, MPI_INT, all, n, MPI_INT, comm));
            for (r = 0; r < size; r++)
                for (i = 0; i < n; i++)
                    if (all[r * n + i] != word(r, i)) {
                        CHECK(0, "allgather of %d%s: from %d word %d: expected %d, got %d", n,
                              in_place ? " in place" : "", r, i, word(r, i), all[r * n + i]);
                        i = n, r = size;
                    }
            EQUAL("word after", -1, all[n * size]);
        }
        free(mine);
        free(all);
    }
}

static void uneven(MPI_Comm comm) {
    int r, i, words = 0, n = part(rank), in_place;
    int *counts = test_alloc((size_t)size * sizeof(int)), *places = test_alloc((size_t)size * sizeof(int)), *all, *mine;
    for (r = size - 1; r >= 0; r--) {
        counts[r] = part(r);
        places[r] = words + 1;
        words += counts[r] + 1;
    }
    all = test_alloc((size_t)(words + 1) * sizeof(int)), mine = test_alloc((size_t)n * sizeof(int));
    for (in_place = 0; in_place < 2; in_place++) {
        for (i = 0; i <= words; i++) all[i] = -1;
        for (i = 0; i < n; i++) mine[i] = word(rank, i);
        if (in_place)
            for (i = 0; i < n; i++) all[places[rank] + i] = mine[i];
        if (in_place)
            MUST(MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all, counts, places, MPI_INT, comm));
        else
            MUST(MPI_Allgatherv(mine, n, MPI_INT, all, counts, places, MPI_INT, comm));
        for (r = 0; r < size; r++) {
            for (i = 0; i < counts[r]; i++)
                if (all[places[r] + i] != word(r, i)) {
                    CHECK(0, "allgatherv: from %d word %d: expected %d, got %d", r, i, word(r, i), all[places[r] + i]);
                    break;
                }
            EQUAL("gap", -1, all[places[r] - 1]);
        }
    }
    free(counts);
    free(places);
    free(all);
    free(mine);
}

/* Sends three shorts of every four, receives them side by side. */
static void derived(MPI_Comm comm) {
    enum { N = 500 };
    short mine[4 * N], *all = test_alloc((size_t)(3 * N * size) * sizeof(short));
    int i, r;
    MPI_Datatype inner, three;
    MUST(MPI_Type_contiguous(3, MPI_SHORT, &inner));
    MUST(MPI_Type_create_resized(inner, 0, 4 * sizeof(short), &three));
    MUST(MPI_Type_commit(&three));
    for (i = 0; i < 4 * N; i++) mine[i] = (short)(rank * 4000 + i);
    MUST(MPI_Allgather(mine, N, three, all, 3 * N, MPI_SHORT, comm));
    for (r = 0; r < size; r++)
        for (i = 0; i < 3 * N; i++)
            if (all[r * 3 * N + i] != (short)(r * 4000 + i / 3 * 4 + i % 3)) {
                EQUAL("derived", (short)(r * 4000 + i / 3 * 4 + i % 3), all[r * 3 * N + i]);
                i = 3 * N, r = size;
            }
    MUST(MPI_Type_free(&inner));
    MUST(MPI_Type_free(&three));
    free(all);
}

int main(int argc, char **argv) {
    test_start(&argc, &argv);
    on_comms(even);
    on_comms(uneven);
    on_comms(derived);
    return test_finish();
}
