/* Collectives on more ranks than share one memory: every blocking collective on the world, on its ranks in reverse and on
 * its odd and even ranks, short and longer, with a datatype that has holes and with an operation that does not commute.
 * With the argument `composed` the tool interface must say that they were composed by groups. */
#include "../test.h"
#include "comms.h"

enum { ROUNDS = 3, MOST = 700 };

/* Whether ranks of other hosts lie between the ranks of a host. Then an operation whose order counts is not composed. */
static int mixed(void) {
    char *near = test_neighbours();
    int i, ends = near[0] + near[test_size - 1], here, any;
    for (i = 1; i < test_size; i++) ends += near[i] != near[i - 1];
    here = ends > 2;
    MUST(MPI_Allreduce(&here, &any, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD));
    free(near);
    return any;
}

/* What a rank contributes at place i. */
static int value(int round, int r, int i) { return (round * 31 + r * 1009 + i * 7) % 100003; }

/* Elements of two ints, with a hole between them. */
static MPI_Datatype holes;
static int *out, *in;
static int at(int i) { return i / 2 * 3 + i % 2 * 2; }

static void fill(int *to, int round, int r, int n) {
    int i;
    for (i = 0; i < n; i++) to[i] = value(round, r, i);
}

static void look(const char *what, const int *found, int round, int r, int first, int n) {
    int i;
    for (i = 0; i < n; i++)
        if (found[i] != value(round, r, first + i)) {
            CHECK(0, "%s of %d, round %d: from %d, place %d: expected %d, got %d", what, n, round, r, first + i,
                  value(round, r, first + i), found[i]);
            return;
        }
}

/* low op high: the affine map x -> a x + b of the lower ranks, after that of the higher ones. */
static void affine(void *low, void *high, int *n, MPI_Datatype *type) {
    unsigned *l = low, *h = high;
    int i;
    (void)type;
    for (i = 0; i < 2 * *n; i += 2) {
        unsigned a = l[i] * h[i], b = l[i] * h[i + 1] + l[i + 1];
        h[i] = a, h[i + 1] = b;
    }
}

/* The maps of the ranks first..end - 1 at place i, one after the other. */
static void composed(int round, int first, int end, int i, unsigned *a, unsigned *b) {
    int r;
    for (*a = 1, *b = 0, r = first; r < end; r++) {
        unsigned c = (unsigned)value(round, r, 2 * i) | 1, d = (unsigned)value(round, r, 2 * i + 1);
        *b = *a * d + *b, *a = *a * c;
    }
}

static void look_maps(const char *what, const int *found, int round, int end, int first, int n) {
    int i;
    unsigned a, b;
    for (i = 0; i < n; i++) {
        composed(round, 0, end, first + i, &a, &b);
        if ((unsigned)found[2 * i] != a || (unsigned)found[2 * i + 1] != b) {
            CHECK(0, "%s of %d, round %d: wrong at place %d", what, n, round, first + i);
            return;
        }
    }
}

static void blocks(MPI_Comm comm, int round, int n) {
    int i, r, root = (round * 7 + size / 2) % size;
    MUST(MPI_Barrier(comm));
    for (i = 0; i < 2 * n; i++) out[at(i)] = rank == root ? value(round, root, i) : -1;
    MUST(MPI_Bcast(out, n, holes, root, comm));
    for (i = 0; i < 2 * n; i++) in[i] = out[at(i)];
    look("bcast", in, round, root, 0, 2 * n);
    fill(out, round, rank, n);
    MUST(MPI_Gather(out, n, MPI_INT, in, n, MPI_INT, root, comm));
    for (r = 0; rank == root && r < size; r++) look("gather", in + r * n, round, r, 0, n);
    for (r = 0; rank == root && r < size; r++) fill(out + r * n, round, r, n);
    MUST(MPI_Scatter(out, n, MPI_INT, rank == root ? MPI_IN_PLACE : (void *)in, n, MPI_INT, root, comm));
    if (rank != root) look("scatter", in, round, rank, 0, n);
    fill(out, round, rank, n);
    MUST(MPI_Allgather(out, n, MPI_INT, in, n, MPI_INT, comm));
    for (r = 0; r < size; r++) look("allgather", in + r * n, round, r, 0, n);
    for (r = 0; r < size; r++) fill(out + r * n, round + r, rank, n);
    MUST(MPI_Alltoall(out, n, MPI_INT, in, n, MPI_INT, comm));
    for (r = 0; r < size; r++) look("alltoall", in + r * n, round + rank, r, 0, n);
}

static void reductions(MPI_Comm comm, MPI_Op op, MPI_Datatype pair, int round, int n) {
    int i, root = (round * 7 + size - 1) % size, all = n > 8 ? n : n * size;
    fill(out, round, rank, 2 * all);
    for (i = 0; i < all; i++) out[2 * i] |= 1;
    MUST(MPI_Reduce(out, in, n, pair, op, root, comm));
    if (rank == root) look_maps("reduce", in, round, size, 0, n);
    MUST(MPI_Allreduce(out, in, n, pair, op, comm));
    look_maps("allreduce", in, round, size, 0, n);
    MUST(MPI_Scan(out, in, n, pair, op, comm));
    look_maps("scan", in, round, rank + 1, 0, n);
    MUST(MPI_Exscan(out, in, n, pair, op, comm));
    if (rank > 0) look_maps("exscan", in, round, rank, 0, n);
    if (n > 8) return;
    MUST(MPI_Reduce_scatter_block(out, in, n, pair, op, comm));
    look_maps("reduce_scatter", in, round, size, rank * n, n);
    MUST(MPI_Allreduce(MPI_IN_PLACE, out, n, MPI_INT, MPI_MAX, comm));
    for (i = 0; i < n; i++) {
        int r, most = -1;
        for (r = 0; r < size; r++) {
            int here = i % 2 ? value(round, r, i) : value(round, r, i) | 1;
            if (here > most) most = here;
        }
        EQUAL("maximum", most, out[i]);
    }
}

static void collectives(MPI_Comm comm) {
    MPI_Op op;
    MPI_Datatype pair;
    int round;
    if (size < 3) return;
    MUST(MPI_Op_create(affine, 0, &op));
    MUST(MPI_Type_contiguous(2, MPI_INT, &pair));
    MUST(MPI_Type_commit(&pair));
    for (round = 0; round < ROUNDS; round++) {
        blocks(comm, round, 1 + round * 3);
        reductions(comm, op, pair, round, 1 + round * 2);
        if (round == 1) reductions(comm, op, pair, round, MOST);
    }
    MUST(MPI_Type_free(&pair));
    MUST(MPI_Op_free(&op));
}

static const char *const names[] = {"barrier", "bcast", "gather", "scatter", "allgather", "alltoall",
                                    "reduce", "allreduce", "scan", "reduce_scatter"};
/* Which of them are called here only with an operation that does not commute. */
static const int ordered[] = {0, 0, 0, 0, 0, 0, 1, 0, 1, 1};
enum { NAMES = sizeof names / sizeof *names };

int main(int argc, char **argv) {
    int provided, must = argc > 1 && strcmp(argv[1], "composed") == 0;
    int index, count, i, is_mixed;
    MPI_T_pvar_session session;
    MPI_T_pvar_handle composed_calls[NAMES];
    test_start(&argc, &argv);
    test_watchdog(60);
    MUST(MPI_T_init_thread(MPI_THREAD_SINGLE, &provided));
    MUST(MPI_T_pvar_session_create(&session));
    for (i = 0; must && i < NAMES; i++) {
        char name[64];
        snprintf(name, sizeof name, "%s_hierarchical", names[i]);
        MUST(MPI_T_pvar_get_index(name, MPI_T_PVAR_CLASS_COUNTER, &index));
        MUST(MPI_T_pvar_handle_alloc(session, index, NULL, &composed_calls[i], &count));
        MUST(MPI_T_pvar_start(session, composed_calls[i]));
    }
    MUST(MPI_Type_vector(2, 1, 2, MPI_INT, &holes));
    MUST(MPI_Type_commit(&holes));
    out = test_alloc(((size_t)2 * MOST + 20) * (size_t)test_size * sizeof(int));
    in = test_alloc(((size_t)2 * MOST + 20) * (size_t)test_size * sizeof(int));
    on_comms(collectives);
    is_mixed = mixed();
    for (i = 0; must && i < NAMES; i++) {
        unsigned long long calls = 0;
        MUST(MPI_T_pvar_read(session, composed_calls[i], &calls));
        CHECK(calls > 0 || (ordered[i] && is_mixed), "%s: no call was composed", names[i]);
        MUST(MPI_T_pvar_handle_free(session, &composed_calls[i]));
    }
    MUST(MPI_T_pvar_session_free(&session));
    free(out), free(in);
    MUST(MPI_Type_free(&holes));
    MUST(MPI_T_finalize());
    return test_finish();
}
