/* What memory that a communicator's processes share for collectives must not change: lengths around its
 * borders, ranks that come late or run ahead, roots that rotate, lengths that do not agree, more communicators
 * than there is memory for and new ones in the places of old ones, messages under way meanwhile. */
#include "../test.h"
#include <time.h>

static unsigned char value(int rank, size_t index, int salt) {
    return (unsigned char)(rank * 37 + (int)(index * 7 + (index >> 8)) + salt * 11);
}

static void fill(unsigned char *to, int rank, size_t length, int salt) {
    size_t i;
    for (i = 0; i < length; i++) to[i] = value(rank, i, salt);
}

static void expect(const char *what, const unsigned char *got, int rank, size_t length, int salt) {
    size_t i;
    for (i = 0; i < length; i++)
        if (got[i] != value(rank, i, salt)) {
            CHECK(0, "%s of %lu bytes: byte %lu is %d, expected %d", what, (unsigned long)length, (unsigned long)i,
                  got[i], value(rank, i, salt));
            return;
        }
}

/* Every collective that moves `length` bytes a rank. */
static void all(MPI_Comm comm, size_t length, int salt) {
    int rank, size, k, root;
    unsigned char *out, *in;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    root = salt % size;
    out = test_alloc(length * (size_t)size + 1);
    in = test_alloc(length * (size_t)size + 1);
    STEP("bcast");
    fill(out, rank, length, salt);
    MUST(MPI_Bcast(out, (int)length, MPI_BYTE, root, comm));
    expect("bcast", out, root, length, salt);
    STEP("allreduce");
    fill(out, rank, length, salt);
    MUST(MPI_Allreduce(out, in, (int)length, MPI_BYTE, MPI_BXOR, comm));
    for (k = 0; k < size; k++) {
        size_t i;
        for (i = 0; i < length; i++) in[i] ^= k == 0 ? 0 : value(k, i, salt);
    }
    expect("allreduce", in, 0, length, salt);
    MUST(MPI_Allreduce(MPI_IN_PLACE, out, (int)length, MPI_BYTE, MPI_BXOR, comm));
    STEP("reduce");
    fill(out, rank, length, salt);
    MUST(MPI_Reduce(out, in, (int)length, MPI_UNSIGNED_CHAR, MPI_MAX, root, comm));
    if (rank == root) {
        size_t i;
        for (i = 0; i < length; i++) {
            int most = 0;
            for (k = 0; k < size; k++) most = most < value(k, i, salt) ? value(k, i, salt) : most;
            if (in[i] != most) {
                EQUAL("reduce", most, in[i]);
                break;
            }
        }
    }
    STEP("gather and scatter");
    MUST(MPI_Gather(out, (int)length, MPI_BYTE, in, (int)length, MPI_BYTE, root, comm));
    for (k = 0; rank == root && k < size; k++) expect("gather", in + length * (size_t)k, k, length, salt);
    memset(out, 0, length);
    MUST(MPI_Scatter(in, (int)length, MPI_BYTE, out, (int)length, MPI_BYTE, root, comm));
    expect("scatter", out, rank, length, salt);
    STEP("allgather");
    MUST(MPI_Allgather(out, (int)length, MPI_BYTE, in, (int)length, MPI_BYTE, comm));
    for (k = 0; k < size; k++) expect("allgather", in + length * (size_t)k, k, length, salt);
    STEP("alltoall");
    for (k = 0; k < size; k++) fill(out + length * (size_t)k, rank, length, salt + k);
    MUST(MPI_Alltoall(out, (int)length, MPI_BYTE, in, (int)length, MPI_BYTE, comm));
    for (k = 0; k < size; k++) expect("alltoall", in + length * (size_t)k, k, length, salt + rank);
    STEP("reduce_scatter_block and scan");
    for (k = 0; k < size; k++) memset(out + length * (size_t)k, k + 1, length);
    MUST(MPI_Reduce_scatter_block(out, in, (int)length, MPI_UNSIGNED_CHAR, MPI_SUM, comm));
    if (length > 0) EQUAL("reduce_scatter_block", (unsigned char)(size * (rank + 1)), in[length - 1]);
    if (length > 0) EQUAL("reduce_scatter_block", (unsigned char)(size * (rank + 1)), in[0]);
    MUST(MPI_Scan(out, in, (int)length, MPI_UNSIGNED_CHAR, MPI_SUM, comm));
    if (length > 0) EQUAL("scan", rank + 1, in[length - 1]);
    MUST(MPI_Exscan(out, in, (int)length, MPI_UNSIGNED_CHAR, MPI_SUM, comm));
    if (length > 0 && rank > 0) EQUAL("exscan", rank, in[length - 1]);
    STEP("barrier");
    MUST(MPI_Barrier(comm));
    free(out);
    free(in);
}

static void lengths(void) {
    static const size_t borders[] = {1, 48, 64, 256, 4096, 8192, 16384, 65536, 131072, 200000};
    size_t b;
    int salt = 0, near;
    for (b = 0; b < sizeof borders / sizeof borders[0]; b++)
        for (near = -1; near <= 1; near++) all(MPI_COMM_WORLD, borders[b] + (size_t)near, salt++);
    all(MPI_COMM_WORLD, 1000003, salt);
}

static void doze(void) {
    struct timespec t = {0, 20000000};
    nanosleep(&t, NULL);
}

/* A rank that sleeps or computes is waited for; one that need not wait runs ahead. */
static void late(void) {
    unsigned char *out, *in;
    int i, word;
    for (i = 0; i < 4 * test_size; i++) {
        STEP("a late rank");
        if (i % test_size == test_rank) doze();
        word = test_rank;
        MUST(MPI_Bcast(&word, 1, MPI_INT, (i + 1) % test_size, MPI_COMM_WORLD));
        EQUAL("a late bcast", (i + 1) % test_size, word);
        if (i % 3 == 0) MUST(MPI_Barrier(MPI_COMM_WORLD));
    }
    for (i = 0; i < 1000; i++) {
        STEP("a root that runs ahead");
        word = test_rank == 0 ? i : -1;
        MUST(MPI_Bcast(&word, 1, MPI_INT, 0, MPI_COMM_WORLD));
        EQUAL("a bcast far behind", i, word);
        if (test_rank != 0 && i % 400 == 399) doze();
    }
    out = test_alloc(100000);
    in = test_alloc(100000 * (size_t)test_size);
    for (i = 0; i < 60; i++) {
        size_t length = i % 7 == 3 ? 100000 : 30000;
        int root = i / 2 % test_size, rank;
        STEP("writers that run ahead");
        fill(out, test_rank, length, i);
        if (root == test_rank && i % 5 == 0) doze();
        MUST(MPI_Gather(out, (int)length, MPI_BYTE, in, (int)length, MPI_BYTE, root, MPI_COMM_WORLD));
        for (rank = 0; root == test_rank && rank < test_size; rank++)
            expect("a gather far behind", in + (size_t)rank * length, rank, length, i);
    }
    free(out);
    free(in);
}

/* A long message is under way while its ends are in collectives. */
static void messages(void) {
    size_t length = 3000000;
    unsigned char *out = test_alloc(length), *in = test_alloc(length);
    int to = (test_rank + 1) % test_size, from = (test_rank + test_size - 1) % test_size, i, done = 0;
    MPI_Request requests[2];
    STEP("messages between collectives");
    fill(out, test_rank, length, 5);
    MUST(MPI_Irecv(in, (int)length, MPI_BYTE, from, 0, MPI_COMM_WORLD, &requests[0]));
    MUST(MPI_Isend(out, (int)length, MPI_BYTE, to, 0, MPI_COMM_WORLD, &requests[1]));
    for (i = 0; i < 50; i++) all(MPI_COMM_WORLD, 100, i);
    while (!done) {
        int mine;
        MUST(MPI_Testall(2, requests, &mine, MPI_STATUSES_IGNORE));
        MUST(MPI_Allreduce(&mine, &done, 1, MPI_INT, MPI_LAND, MPI_COMM_WORLD));
    }
    expect("message", in, from, length, 5);
    free(out);
    free(in);
}

enum { MANY = 150 };

static void communicators(void) {
    MPI_Comm comms[MANY];
    int round, i;
    for (round = 0; round < 2; round++) {
        STEP("more communicators than memory");
        for (i = 0; i < MANY; i++) {
            MUST(MPI_Comm_split(MPI_COMM_WORLD, (test_rank + i) % 3 == 0, test_rank, &comms[i]));
            all(comms[i], 40, i);
            all(comms[i], 40, i + 1);
        }
        for (i = 0; i < MANY; i++) all(comms[i], 5000, i);
        /* Ranks leave in an order of their own, and the root of a broadcast without waiting. */
        for (i = 0; i < MANY; i++) {
            int k = (i * 7 + round * 31) % MANY, word = k, size;
            MPI_Comm_size(comms[k], &size);
            MUST(MPI_Bcast(&word, 1, MPI_INT, k % size, comms[k]));
            EQUAL("the last bcast", k, word);
            MUST(MPI_Comm_free(&comms[k]));
        }
    }
}

/* Lengths that do not agree are noticed where that can be, and later operations are not disturbed. Who learns of it from a rank
 * of its host that has heard from another host may be told of another error. */
static void disagree(void) {
    unsigned char bytes[600];
    char *near = test_neighbours();
    MPI_Comm comm;
    int i, code, class_, apart = 0;
    for (i = 0; i < test_size; i++) apart |= !near[i];
    free(near);
    MUST(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    MUST(MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN));
    for (i = 0; i < 3; i++) MUST(MPI_Barrier(comm));
    for (i = 0; i < 20; i++) {
        int more = test_rank == test_size - 1;
        STEP("a bcast of other lengths");
        code = MPI_Bcast(bytes, more ? 500 : 100, MPI_BYTE, test_size - 1, comm);
        MPI_Error_class(code, &class_);
        FAILS(more ? MPI_SUCCESS : apart && class_ == MPI_ERR_OTHER ? MPI_ERR_OTHER : MPI_ERR_TRUNCATE, code);
        MUST(MPI_Barrier(comm));
    }
    all(comm, 100, 3);
    MUST(MPI_Comm_free(&comm));
}

static int combine(int kind, double *from, double *to, int count, MPI_Comm comm) {
    switch (kind) {
        case 0: return MPI_Allreduce(from, to, count, MPI_DOUBLE, MPI_SUM, comm);
        case 1: return MPI_Reduce(from, to, count, MPI_DOUBLE, MPI_SUM, 1, comm);
        case 2: return MPI_Scan(from, to, count, MPI_DOUBLE, MPI_SUM, comm);
        default: return MPI_Exscan(from, to, count, MPI_DOUBLE, MPI_SUM, comm);
    }
}

/* One rank's length lets it combine in another way than the others: somebody says so, nobody waits for ever, and what
 * follows is right. */
static void disagree_about_reductions(void) {
    static const int lengths[] = {1, 2000, 10000, 70000};
    double *from = test_alloc(70000 * sizeof *from), *to = test_alloc(70000 * sizeof *to), sum;
    MPI_Comm comm;
    int i, k, kind, odd, x, y, failed, any;
    MUST(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    MUST(MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN));
    for (i = 0; i < 3; i++) MUST(MPI_Barrier(comm));
    for (i = 0; i < 70000; i++) from[i] = test_rank + i;
    STEP("reductions of other lengths");
    for (kind = 0; kind < 4; kind++)
        for (k = 0; k < 16 * test_size; k++) {
            odd = k / 16, x = lengths[k % 4], y = lengths[k / 4 % 4];
            if (x == y) continue;
            failed = combine(kind, from, to, test_rank == odd ? x : y, comm) != MPI_SUCCESS;
            MUST(MPI_Allreduce(&failed, &any, 1, MPI_INT, MPI_LOR, comm));
            CHECK(any, "%d: %d doubles on rank %d and %d elsewhere are combined", kind, x, odd, y);
            MUST(combine(kind, from, to, 70000, comm));
            i = kind < 2 ? test_size : kind == 2 ? test_rank + 1 : test_rank;
            if (i == 0 || (kind == 1 && test_rank != 1)) continue;
            sum = (double)i * (i - 1) / 2 + (double)i * 69999;
            CHECK(to[69999] == sum, "%d: then %g where %g is expected", kind, to[69999], sum);
        }
    MUST(MPI_Comm_free(&comm));
    free(from);
    free(to);
}

/* Of two ranks one means other blocks, of as many elements in all. */
static void disagree_about_blocks(void) {
    enum { ALL = 60000 };
    static const int firsts[] = {1, 15000, 30000, 45000, ALL};
    double *from = test_alloc(ALL * sizeof *from), *to = test_alloc(ALL * sizeof *to);
    MPI_Comm comm;
    int i, k, x, y, failed, any, counts[2];
    if (test_size == 2) {
        MUST(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
        MUST(MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN));
        for (i = 0; i < ALL; i++) from[i] = test_rank + i;
        STEP("blocks of other lengths");
        for (k = 0; k < 25; k++) {
            x = firsts[k % 5], y = firsts[k / 5 % 5];
            counts[0] = test_rank == 0 ? x : y, counts[1] = ALL - counts[0];
            failed = MPI_Reduce_scatter(from, to, counts, MPI_DOUBLE, MPI_SUM, comm) != MPI_SUCCESS;
            MUST(MPI_Allreduce(&failed, &any, 1, MPI_INT, MPI_LOR, comm));
            EQUAL("errors", x != y, any);
            for (i = 0; i < 3; i++) {
                counts[0] = y, counts[1] = ALL - y;
                MUST(MPI_Reduce_scatter(from, to, counts, MPI_DOUBLE, MPI_SUM, comm));
                if (counts[test_rank] == 0) continue;
                x = counts[test_rank] - 1 + test_rank * y;
                CHECK(to[counts[test_rank] - 1] == 2.0 * x + 1, "then %g where %d is expected", to[counts[test_rank] - 1], 2 * x + 1);
            }
        }
        MUST(MPI_Comm_free(&comm));
    }
    free(from);
    free(to);
}

int main(int argc, char **argv) {
    test_start(&argc, &argv);
    if (argc > 1 && strcmp(argv[1], "reductions") == 0) {
        disagree_about_reductions();
        disagree_about_blocks();
        return test_finish();
    }
    lengths();
    late();
    messages();
    communicators();
    if (argc > 1 && strcmp(argv[1], "disagree") == 0) disagree();
    return test_finish();
}
