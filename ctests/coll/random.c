/* Random collectives that every rank can predict: all ranks draw the same calls from a seed (the
 * argument, 1 without it): which collective, on which of several communicators, root, count, blocking
 * or not, up to eight in flight. Every result is compared with what the schedule says. */
#include "../test.h"

enum { CALLS = 1500, COMMS = 4, FLIGHT = 8, MOST = 9000 };

typedef struct {
    int kind, count, root, number, rank, size;
    int *members; /* world ranks */
    int *out, *in;
    MPI_Request request;
} call;

static unsigned long long common;
static unsigned draw(unsigned below) {
    common = common * 6364136223846793005ULL + 1442695040888963407ULL;
    return (unsigned)(common >> 33) % below;
}

static MPI_Comm comm[COMMS];
static int *members[COMMS];

/* What world rank r contributes at place i of call `number`. */
static int value(int number, int r, int i) { return (number * 31 + r * 1009 + i * 7) % 100003; }

static void start(call *c, MPI_Comm where, int blocking) {
    int i, all = c->count * c->size, me = c->members[c->rank];
    c->out = test_alloc(((size_t)all + 1) * sizeof(int)), c->in = test_alloc(((size_t)all + 1) * sizeof(int));
    for (i = 0; i <= all; i++) c->out[i] = value(c->number, me, i), c->in[i] = -1;
    c->request = MPI_REQUEST_NULL;
    switch (c->kind * 2 + blocking) {
        case 0: MUST(MPI_Ibarrier(where, &c->request)); break;
        case 1: MUST(MPI_Barrier(where)); break;
        case 2: MUST(MPI_Ibcast(c->out, c->count, MPI_INT, c->root, where, &c->request)); break;
        case 3: MUST(MPI_Bcast(c->out, c->count, MPI_INT, c->root, where)); break;
        case 4: MUST(MPI_Iallreduce(c->out, c->in, c->count, MPI_INT, MPI_SUM, where, &c->request)); break;
        case 5: MUST(MPI_Allreduce(c->out, c->in, c->count, MPI_INT, MPI_SUM, where)); break;
        case 6: MUST(MPI_Ireduce(c->out, c->in, c->count, MPI_INT, MPI_MAX, c->root, where, &c->request)); break;
        case 7: MUST(MPI_Reduce(c->out, c->in, c->count, MPI_INT, MPI_MAX, c->root, where)); break;
        case 8: MUST(MPI_Iallgather(c->out, c->count, MPI_INT, c->in, c->count, MPI_INT, where, &c->request)); break;
        case 9: MUST(MPI_Allgather(c->out, c->count, MPI_INT, c->in, c->count, MPI_INT, where)); break;
        case 10: MUST(MPI_Ialltoall(c->out, c->count, MPI_INT, c->in, c->count, MPI_INT, where, &c->request)); break;
        case 11: MUST(MPI_Alltoall(c->out, c->count, MPI_INT, c->in, c->count, MPI_INT, where)); break;
        case 12:
            MUST(MPI_Igather(c->out, c->count, MPI_INT, c->in, c->count, MPI_INT, c->root, where, &c->request));
            break;
        case 13: MUST(MPI_Gather(c->out, c->count, MPI_INT, c->in, c->count, MPI_INT, c->root, where)); break;
        case 14:
            MUST(MPI_Iscatter(c->out, c->count, MPI_INT, c->in, c->count, MPI_INT, c->root, where, &c->request));
            break;
        case 15: MUST(MPI_Scatter(c->out, c->count, MPI_INT, c->in, c->count, MPI_INT, c->root, where)); break;
        case 16: MUST(MPI_Iscan(c->out, c->in, c->count, MPI_INT, MPI_MIN, where, &c->request)); break;
        case 17: MUST(MPI_Scan(c->out, c->in, c->count, MPI_INT, MPI_MIN, where)); break;
        case 18: MUST(MPI_Ireduce_scatter_block(c->out, c->in, c->count, MPI_INT, MPI_SUM, where, &c->request)); break;
        default: MUST(MPI_Reduce_scatter_block(c->out, c->in, c->count, MPI_INT, MPI_SUM, where));
    }
}

/* The value expected at place i of the result, or -1 where nothing was to be written. */
static int expected(const call *c, int i) {
    int r, e;
    switch (c->kind) {
        case 1: return value(c->number, c->members[c->root], i);
        case 2:
            for (e = 0, r = 0; r < c->size; r++) e += value(c->number, c->members[r], i);
            return e;
        case 3:
            if (c->rank != c->root) return -1;
            for (e = -1, r = 0; r < c->size; r++)
                if (value(c->number, c->members[r], i) > e) e = value(c->number, c->members[r], i);
            return e;
        case 4: return value(c->number, c->members[i / c->count], i % c->count);
        case 5: return value(c->number, c->members[i / c->count], c->rank * c->count + i % c->count);
        case 6: return c->rank == c->root ? value(c->number, c->members[i / c->count], i % c->count) : -1;
        case 7: return value(c->number, c->members[c->root], c->rank * c->count + i);
        case 8:
            for (e = value(c->number, c->members[0], i), r = 1; r <= c->rank; r++)
                if (value(c->number, c->members[r], i) < e) e = value(c->number, c->members[r], i);
            return e;
        default:
            for (e = 0, r = 0; r < c->size; r++) e += value(c->number, c->members[r], c->rank * c->count + i);
            return e;
    }
}

static void finish(call *c) {
    static const char *const names[] = {"barrier", "bcast",  "allreduce", "reduce", "allgather",
                                        "alltoall", "gather", "scatter",   "scan",   "reduce_scatter_block"};
    int i, n = c->kind == 0 ? 0 : c->kind >= 4 && c->kind <= 6 ? c->count * c->size : c->count;
    const int *got = c->kind == 1 ? c->out : c->in;
    STEP(names[c->kind]);
    MUST(MPI_Wait(&c->request, MPI_STATUS_IGNORE));
    for (i = 0; i < n; i++)
        if (got[i] != expected(c, i)) {
            CHECK(0, "call %d, %s of %d on %d ranks, root %d, place %d: expected %d, got %d", c->number, names[c->kind],
                  c->count, c->size, c->root, i, expected(c, i), got[i]);
            break;
        }
    if (c->kind != 1) EQUAL("place after", -1, c->in[n]);
    free(c->out);
    free(c->in);
}

int main(int argc, char **argv) {
    static call flight[FLIGHT];
    MPI_Group world, group;
    int i, k, n, size, in_flight = 0, seed;
    test_deadline = 100;
    test_start(&argc, &argv);
    seed = argc > 1 ? atoi(argv[1]) : 1;
    common = (unsigned long long)seed;
    comm[0] = MPI_COMM_WORLD;
    MUST(MPI_Comm_dup(MPI_COMM_WORLD, &comm[1]));
    MUST(MPI_Comm_split(MPI_COMM_WORLD, 0, -test_rank, &comm[2]));
    MUST(MPI_Comm_split(MPI_COMM_WORLD, test_rank % 2, test_rank, &comm[3]));
    MUST(MPI_Comm_group(MPI_COMM_WORLD, &world));
    for (i = 0; i < COMMS; i++) {
        int *local;
        MUST(MPI_Comm_size(comm[i], &size));
        local = test_alloc((size_t)size * sizeof(int)), members[i] = test_alloc((size_t)size * sizeof(int));
        for (k = 0; k < size; k++) local[k] = k;
        MUST(MPI_Comm_group(comm[i], &group));
        MUST(MPI_Group_translate_ranks(group, size, local, world, members[i]));
        MUST(MPI_Group_free(&group));
        free(local);
    }
    MUST(MPI_Group_free(&world));
    for (n = 0; n < CALLS; n++) {
        static const int counts[] = {0, 1, 2, 3, 16, 100, 513, 2000, MOST};
        int which = (int)draw(COMMS), kind = (int)draw(10), count = counts[draw(draw(10) == 0 ? 9 : 7)];
        int blocking = (int)draw(2), turn = (int)draw(1 << 20), drain = (int)draw(20) == 0;
        call *c = &flight[in_flight++];
        c->kind = kind, c->count = count, c->number = n, c->members = members[which];
        MUST(MPI_Comm_rank(comm[which], &c->rank));
        MUST(MPI_Comm_size(comm[which], &c->size));
        c->root = turn % c->size;
        STEP("start");
        start(c, comm[which], blocking);
        if (in_flight == FLIGHT || drain || n + 1 == CALLS) {
            /* Each rank completes them in another order. */
            for (i = 0; i < in_flight; i++) finish(&flight[(i + test_rank) % in_flight]);
            in_flight = 0;
        }
        if (test_errors > TEST_SHOWN) break;
    }
    for (i = 1; i < COMMS; i++) MUST(MPI_Comm_free(&comm[i]));
    for (i = 0; i < COMMS; i++) free(members[i]);
    return test_finish();
}
