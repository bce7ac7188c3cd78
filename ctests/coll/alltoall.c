/* MPI_Alltoall, MPI_Alltoallv and MPI_Alltoallw: in place, zero and uneven counts, gaps, and a
 * different derived type for every peer. */
#include "../test.h"
#include "comms.h"

static int word(int from, int to, int i) { return from * 1000000 + to * 10000 + i % 10000; }
static int part(int from, int to) { return (from * 3 + to * 5) % 7 * 40; }
/* In place, both directions of a pair have the same count. */
static int mutual(int a, int b) { return (a + b) % 5 * 30; }

static void even(MPI_Comm comm) {
    static const int counts[] = {0, 1, 3, 64, 600, 9000, 40000};
    int c, i, r, in_place;
    for (c = 0; c < 7; c++) {
        int n = counts[c];
        int *out = test_alloc((size_t)(n * size) * sizeof(int)), *in = test_alloc((size_t)(n * size + 1) * sizeof(int));
        for (in_place = 0; in_place < 2; in_place++) {
            in[n * size] = -1;
            for (r = 0; r < size; r++)
                for (i = 0; i < n; i++) {
                    out[r * n + i] = word(rank, r, i);
                    in[r * n + i] = in_place ? out[r * n + i] : -1;
                }
            if (in_place)
                MUST(MPI_Alltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, in, n, MPI_INT, comm));
            else
                MUST(MPI_Alltoall(out, n, MPI_INT, in, n, MPI_INT, comm));
            for (r = 0; r < size; r++)
                for (i = 0; i < n; i++)
                    if (in[r * n + i] != word(r, rank, i)) {
                        CHECK(0, "alltoall of %d%s: from %d word %d: expected %d, got %d", n,
                              in_place ? " in place" : "", r, i, word(r, rank, i), in[r * n + i]);
                        i = n, r = size;
                    }
            EQUAL("word after", -1, in[n * size]);
        }
        free(out);
        free(in);
    }
}

static void uneven(MPI_Comm comm, int (*count)(int, int), int in_place) {
    int *v = test_alloc((size_t)(4 * size) * sizeof(int)), r, i, sends = 0, receives = 0, *out, *in;
    int *sc = v, *sp = v + size, *rc = v + 2 * size, *rp = v + 3 * size;
    for (r = 0; r < size; r++) {
        sc[r] = count(rank, r), rc[r] = count(r, rank);
        sp[r] = sends, rp[r] = receives + 1;
        sends += sc[r] + 2, receives += rc[r] + 1;
    }
    out = test_alloc((size_t)(sends + 1) * sizeof(int)), in = test_alloc((size_t)(receives + 1) * sizeof(int));
    for (i = 0; i <= receives; i++) in[i] = -1;
    for (r = 0; r < size; r++)
        for (i = 0; i < sc[r]; i++) {
            out[sp[r] + i] = word(rank, r, i);
            if (in_place) in[rp[r] + i] = out[sp[r] + i];
        }
    if (in_place)
        MUST(MPI_Alltoallv(MPI_IN_PLACE, NULL, NULL, MPI_DATATYPE_NULL, in, rc, rp, MPI_INT, comm));
    else
        MUST(MPI_Alltoallv(out, sc, sp, MPI_INT, in, rc, rp, MPI_INT, comm));
    for (r = 0; r < size; r++) {
        for (i = 0; i < rc[r]; i++)
            if (in[rp[r] + i] != word(r, rank, i)) {
                CHECK(0, "alltoallv%s: from %d word %d: expected %d, got %d", in_place ? " in place" : "", r, i,
                      word(r, rank, i), in[rp[r] + i]);
                break;
            }
        EQUAL("gap", -1, in[rp[r] - 1]);
    }
    free(v);
    free(out);
    free(in);
}

static void v(MPI_Comm comm) {
    uneven(comm, part, 0);
    uneven(comm, mutual, 0);
    uneven(comm, mutual, 1);
}

/* To rank r go r + 2 ints out of a vector with stride r % 3 + 1; they arrive as ints side by side.
 * Displacements are bytes. */
static void w(MPI_Comm comm) {
    enum { ROOM = 200 };
    size_t n = (size_t)size;
    int *out = test_alloc(n * ROOM * sizeof(int)), *in = test_alloc(n * ROOM * sizeof(int));
    int *v = test_alloc(4 * n * sizeof(int)), *sc = v, *sp = v + n, *rc = v + 2 * n, *rp = v + 3 * n, r, i;
    MPI_Datatype *st = test_alloc(n * sizeof(MPI_Datatype)), *rt = test_alloc(n * sizeof(MPI_Datatype));
    for (r = 0; r < size; r++) {
        MUST(MPI_Type_vector(r + 2, 1, r % 3 + 1, MPI_INT, &st[r]));
        MUST(MPI_Type_commit(&st[r]));
        rt[r] = MPI_INT;
        sc[r] = 1, rc[r] = rank + 2;
        sp[r] = rp[r] = (int)(r * ROOM * sizeof(int));
        for (i = 0; i < ROOM; i++) out[r * ROOM + i] = word(rank, r, i), in[r * ROOM + i] = -1;
    }
    MUST(MPI_Alltoallw(out, sc, sp, st, in, rc, rp, rt, comm));
    for (r = 0; r < size; r++) {
        for (i = 0; i < rank + 2; i++)
            EQUAL("alltoallw", word(r, rank, i * (rank % 3 + 1)), in[r * ROOM + i]);
        EQUAL("gap", -1, in[r * ROOM + rank + 2]);
    }
    for (r = 0; r < size; r++) MUST(MPI_Type_free(&st[r]));
    /* In place: mutual counts of doubles and ints, by the pair's parity. */
    for (r = 0; r < size; r++) {
        rt[r] = (rank + r) % 2 ? MPI_DOUBLE : MPI_INT;
        rc[r] = mutual(rank, r) / 4;
        for (i = 0; i < rc[r]; i++) {
            double d = word(rank, r, i) + 0.5;
            if ((rank + r) % 2)
                memcpy(&in[r * ROOM + 2 * i], &d, sizeof d);
            else
                in[r * ROOM + i] = word(rank, r, i);
        }
    }
    MUST(MPI_Alltoallw(MPI_IN_PLACE, NULL, NULL, NULL, in, rc, rp, rt, comm));
    for (r = 0; r < size; r++)
        for (i = 0; i < rc[r]; i++) {
            double d = word(r, rank, i) + 0.5;
            if ((rank + r) % 2)
                CHECK(memcmp(&in[r * ROOM + 2 * i], &d, sizeof d) == 0, "alltoallw in place: double %d from %d", i, r);
            else
                EQUAL("alltoallw in place", word(r, rank, i), in[r * ROOM + i]);
        }
    free(out);
    free(in);
    free(v);
    free(st);
    free(rt);
}

int main(int argc, char **argv) {
    test_start(&argc, &argv);
    on_comms(even);
    on_comms(v);
    on_comms(w);
    return test_finish();
}
