/* How much of a non-blocking collective goes on while the program computes: `overlap [options] [name...]`.
 * For each operation and size three times are taken in every round: the collective alone (`NAME.alone`), a
 * computation that is fitted to about that long, and both, started, computed and waited for (`NAME.both`).
 * `NAME.exposed` is what of the collective the program still waits for: 0 with perfect overlap, the time alone
 * with none. (OSU's percentage is 100 * (1 - exposed / alone).) A word `test=N` lets the program call MPI_Test
 * N times while it computes. */
#include "bench.h"

enum { SAMPLES = 2000 };
static const size_t sizes[] = {8, 1024, 16384, 65536, 262144, 1048576};
enum { SIZES = sizeof sizes / sizeof sizes[0] };

static char *out, *in;
static int tests;
static volatile double sink;

static MPI_Request start_barrier(size_t bytes) {
    MPI_Request request;
    (void)bytes;
    MPI_Ibarrier(MPI_COMM_WORLD, &request);
    return request;
}
static MPI_Request start_bcast(size_t bytes) {
    MPI_Request request;
    MPI_Ibcast(out, (int)bytes, MPI_BYTE, 0, MPI_COMM_WORLD, &request);
    return request;
}
static MPI_Request start_allreduce(size_t bytes) {
    MPI_Request request;
    MPI_Iallreduce(out, in, (int)(bytes / 8), MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, &request);
    return request;
}
static MPI_Request start_allgather(size_t bytes) {
    MPI_Request request;
    MPI_Iallgather(out, (int)bytes, MPI_BYTE, in, (int)bytes, MPI_BYTE, MPI_COMM_WORLD, &request);
    return request;
}
static MPI_Request start_alltoall(size_t bytes) {
    MPI_Request request;
    MPI_Ialltoall(out, (int)bytes, MPI_BYTE, in, (int)bytes, MPI_BYTE, MPI_COMM_WORLD, &request);
    return request;
}

static const struct {
    const char *name;
    MPI_Request (*start)(size_t bytes);
    int no_bytes;
} ops[] = {
    {"ibarrier", start_barrier, 1},     {"ibcast", start_bcast, 0},     {"iallreduce", start_allreduce, 0},
    {"iallgather", start_allgather, 0}, {"ialltoall", start_alltoall, 0},
};
enum { OPS = sizeof ops / sizeof ops[0] };

/* `turns` turns of arithmetic that touches no memory. */
static void compute(long turns) {
    double x = sink;
    long i;
    for (i = 0; i < turns; i++) x = x * 0.999 + 1e-3;
    sink = x;
}

static double now(void) { return MPI_Wtime() * 1e6; }

/* Turns of `compute` in a microsecond. */
static double speed(void) {
    double best = 0;
    int i;
    for (i = 0; i < 20; i++) {
        double t = now();
        compute(20000);
        t = 20000 / (now() - t);
        if (t > best) best = t;
    }
    return best;
}

/* One collective; `turns` turns of computation between start and wait. */
static double once(MPI_Request (*start)(size_t), size_t bytes, long turns) {
    MPI_Request request;
    double begin;
    int i, flag;
    MPI_Barrier(MPI_COMM_WORLD);
    begin = now();
    request = start(bytes);
    for (i = 0; i < tests && turns > 0; i++) {
        compute(turns / (tests + 1));
        MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
    }
    if (turns > 0) compute(turns / (tests + 1));
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    return now() - begin;
}

static void line(const char *name, const char *what, size_t bytes, double usec) {
    char op[64];
    snprintf(op, sizeof op, "%s.%s", name, what);
    if (test_rank == 0) bench_line(op, bytes, usec, -1);
}

static void measure(int which, size_t bytes, double share, double per_usec) {
    static double alone[SAMPLES], both[SAMPLES], exposed[SAMPLES];
    double limit = bench_budget * share, begin = MPI_Wtime(), length;
    long turns;
    int i, go = 1;
    for (i = 0; i < 20; i++) alone[i] = once(ops[which].start, bytes, 0);
    length = bench_median(alone, 20);
    /* All compute equally long. */
    MPI_Bcast(&length, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    turns = (long)(length * per_usec) + tests + 1;
    for (i = 0; i < SAMPLES && go; i++) {
        double computing;
        alone[i] = once(ops[which].start, bytes, 0);
        computing = now();
        compute(turns);
        computing = now() - computing;
        both[i] = once(ops[which].start, bytes, turns);
        exposed[i] = both[i] - computing;
        go = MPI_Wtime() - begin < limit;
        MPI_Bcast(&go, 1, MPI_INT, 0, MPI_COMM_WORLD);
    }
    line(ops[which].name, "alone", bytes, bench_median(alone, i));
    line(ops[which].name, "both", bytes, bench_median(both, i));
    /* What is below 0 is the clock's. */
    length = bench_median(exposed, i);
    line(ops[which].name, "exposed", bytes, length > 0 ? length : 0);
    if (test_rank == 0) fflush(stdout);
}

static int wanted(const char *name, int argc, char **argv, int first) {
    int i, names = 0;
    for (i = first; i < argc; i++) {
        if (strchr(argv[i], '=')) continue;
        if (strcmp(argv[i], name) == 0) return 1;
        names++;
    }
    return names == 0;
}

int main(int argc, char **argv) {
    int first, i, size, points = 0;
    double per_usec;
    bench_largest = 1u << 20;
    first = bench_start(&argc, &argv);
    for (i = first; i < argc; i++) sscanf(argv[i], "test=%d", &tests);
    out = test_alloc(bench_largest * (size_t)test_size);
    in = test_alloc(bench_largest * (size_t)test_size);
    memset(out, 0, bench_largest * (size_t)test_size);
    memset(in, 0, bench_largest * (size_t)test_size);
    per_usec = speed();
    MPI_Bcast(&per_usec, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    for (i = 0; i < OPS; i++)
        if (wanted(ops[i].name, argc, argv, first)) points += ops[i].no_bytes ? 1 : SIZES;
    for (i = 0; i < OPS; i++) {
        if (!wanted(ops[i].name, argc, argv, first)) continue;
        for (size = 0; size < SIZES && sizes[size] <= bench_largest; size++) {
            measure(i, ops[i].no_bytes ? 0 : sizes[size], 1.0 / points, per_usec);
            if (ops[i].no_bytes) break;
        }
    }
    free(out);
    free(in);
    return bench_finish();
}
