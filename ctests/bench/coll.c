/* Collectives by size: `coll [options] [name...]`, all of them without a name. bytes is what one rank
 * contributes to one peer (alltoall, gather, scatter, allgather, reduce_scatter) or in all (the
 * others); usec is the time of one call at rank 0, roots rotate so that no rank runs ahead. */
#include "bench.h"

static char *out, *in;
static int turn;

static int root(void) { return turn++ % test_size; }

static void barrier(size_t bytes, int count) {
    int i;
    (void)bytes;
    for (i = 0; i < count; i++) MPI_Barrier(MPI_COMM_WORLD);
}
static void bcast(size_t bytes, int count) {
    int i;
    for (turn = 0, i = 0; i < count; i++) MPI_Bcast(out, (int)bytes, MPI_BYTE, root(), MPI_COMM_WORLD);
}
static void reduce(size_t bytes, int count) {
    int i;
    for (turn = 0, i = 0; i < count; i++)
        MPI_Reduce(out, in, (int)(bytes / 8), MPI_DOUBLE, MPI_SUM, root(), MPI_COMM_WORLD);
}
static void allreduce(size_t bytes, int count) {
    int i;
    for (i = 0; i < count; i++) MPI_Allreduce(out, in, (int)(bytes / 8), MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}
static void scan(size_t bytes, int count) {
    int i;
    for (i = 0; i < count; i++) MPI_Scan(out, in, (int)(bytes / 8), MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}
static void allgather(size_t bytes, int count) {
    int i;
    for (i = 0; i < count; i++) MPI_Allgather(out, (int)bytes, MPI_BYTE, in, (int)bytes, MPI_BYTE, MPI_COMM_WORLD);
}
static void alltoall(size_t bytes, int count) {
    int i;
    for (i = 0; i < count; i++) MPI_Alltoall(out, (int)bytes, MPI_BYTE, in, (int)bytes, MPI_BYTE, MPI_COMM_WORLD);
}
static void gather(size_t bytes, int count) {
    int i;
    for (turn = 0, i = 0; i < count; i++)
        MPI_Gather(out, (int)bytes, MPI_BYTE, in, (int)bytes, MPI_BYTE, root(), MPI_COMM_WORLD);
}
static void scatter(size_t bytes, int count) {
    int i;
    for (turn = 0, i = 0; i < count; i++)
        MPI_Scatter(out, (int)bytes, MPI_BYTE, in, (int)bytes, MPI_BYTE, root(), MPI_COMM_WORLD);
}
static void reduce_scatter(size_t bytes, int count) {
    int i;
    for (i = 0; i < count; i++)
        MPI_Reduce_scatter_block(out, in, (int)(bytes / 8), MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

static const struct {
    const char *name;
    void (*body)(size_t bytes, int count);
    int sized;
} all[] = {{"barrier", barrier, 0},
           {"bcast", bcast, 1},
           {"allreduce", allreduce, 1},
           {"reduce", reduce, 1},
           {"allgather", allgather, 1},
           {"alltoall", alltoall, 1},
           {"gather", gather, 1},
           {"scatter", scatter, 1},
           {"reduce_scatter", reduce_scatter, 1},
           {"scan", scan, 1}};
enum { ALL = sizeof all / sizeof all[0] };

int main(int argc, char **argv) {
    static const size_t sizes[] = {8, 512, 8192, 65536, 1 << 20};
    int first, i, k, s, chosen = 0, wanted[ALL];
    bench_largest = 1 << 20;
    first = bench_start(&argc, &argv);
    for (k = 0; k < ALL; k++) {
        wanted[k] = first >= argc;
        for (i = first; i < argc; i++) wanted[k] |= strcmp(argv[i], all[k].name) == 0;
        chosen += wanted[k];
    }
    if (chosen == 0) {
        if (test_rank == 0) fprintf(stderr, "no such collective: %s\n", argv[first]);
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    out = test_alloc(bench_largest * (size_t)test_size);
    in = test_alloc(bench_largest * (size_t)test_size);
    memset(out, 0, bench_largest * (size_t)test_size);
    memset(in, 0, bench_largest * (size_t)test_size);
    for (k = 0; k < ALL; k++)
        for (s = 0; wanted[k] && s < 5 && sizes[s] <= bench_largest; s++) {
            if (!all[k].sized && s > 0) break;
            bench_measure(all[k].name, all[k].sized ? sizes[s] : 0, 1.0, 1.0 / (5 * chosen), all[k].body);
        }
    free(out);
    free(in);
    return bench_finish();
}
