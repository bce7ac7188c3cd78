/* Collectives by size: `coll [options] [name or bytes...]`, the usual ones without a name, and twelve sizes without any. bytes
 * is what one rank contributes to one peer (alltoall, gather, scatter, allgather, reduce_scatter) or in all (the
 * others); usec is the time of one call. */
#include "bench.h"

static char *outs, *ins, *out, *in;

/* The buffers of call `i`, which have a block of `bytes` bytes for each rank. */
static void turn(int i, size_t bytes) {
    size_t at = bench_offset(i, bytes * (size_t)test_size);
    out = outs + at;
    in = ins + at;
}
static int *counts, *places;

/* What the forms with counts take: one block of so many elements for each rank, one after the other. */
static void even(size_t elements) {
    int i;
    for (i = 0; i < test_size; i++) {
        counts[i] = (int)elements;
        places[i] = i * (int)elements;
    }
}

static void barrier(size_t bytes, int begin, int end) {
    int i;
    (void)bytes;
    for (i = begin; i < end; i++) MPI_Barrier(MPI_COMM_WORLD);
}
static void bcast(size_t bytes, int begin, int end) {
    int i;
    for (i = begin; i < end; i++) {
        int root = bench_root(i);
        turn(i, bytes);
        if (test_rank == root) bench_compute(out, bytes);
        MPI_Bcast(out, (int)bytes, MPI_BYTE, root, MPI_COMM_WORLD);
    }
}
static void reduce(size_t bytes, int begin, int end) {
    int i;
    for (i = begin; i < end; i++) {
        int root = bench_root(i);
        turn(i, bytes);
        bench_compute(out, bytes);
        MPI_Reduce(out, in, (int)(bytes / 8), MPI_DOUBLE, MPI_SUM, root, MPI_COMM_WORLD);
    }
}
static void allreduce(size_t bytes, int begin, int end) {
    int i;
    for (i = begin; i < end; i++) {
        turn(i, bytes);
        bench_compute(out, bytes);
        MPI_Allreduce(out, in, (int)(bytes / 8), MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
}
/* A maximum, as sums of sums would grow. */
static void allreduce_in_place(size_t bytes, int begin, int end) {
    int i;
    for (i = begin; i < end; i++) {
        turn(i, bytes);
        bench_compute(in, bytes);
        MPI_Allreduce(MPI_IN_PLACE, in, (int)(bytes / 8), MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    }
}
static void scan(size_t bytes, int begin, int end) {
    int i;
    for (i = begin; i < end; i++) {
        turn(i, bytes);
        bench_compute(out, bytes);
        MPI_Scan(out, in, (int)(bytes / 8), MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
}
static void exscan(size_t bytes, int begin, int end) {
    int i;
    for (i = begin; i < end; i++) {
        turn(i, bytes);
        bench_compute(out, bytes);
        MPI_Exscan(out, in, (int)(bytes / 8), MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
}
static void allgather(size_t bytes, int begin, int end) {
    int i;
    for (i = begin; i < end; i++) {
        turn(i, bytes);
        bench_compute(out, bytes);
        MPI_Allgather(out, (int)bytes, MPI_BYTE, in, (int)bytes, MPI_BYTE, MPI_COMM_WORLD);
    }
}
static void alltoall(size_t bytes, int begin, int end) {
    int i;
    for (i = begin; i < end; i++) {
        turn(i, bytes);
        bench_compute(out, bytes * (size_t)test_size);
        MPI_Alltoall(out, (int)bytes, MPI_BYTE, in, (int)bytes, MPI_BYTE, MPI_COMM_WORLD);
    }
}
static void gather(size_t bytes, int begin, int end) {
    int i;
    for (i = begin; i < end; i++) {
        int root = bench_root(i);
        turn(i, bytes);
        bench_compute(out, bytes);
        MPI_Gather(out, (int)bytes, MPI_BYTE, in, (int)bytes, MPI_BYTE, root, MPI_COMM_WORLD);
    }
}
static void scatter(size_t bytes, int begin, int end) {
    int i;
    for (i = begin; i < end; i++) {
        int root = bench_root(i);
        turn(i, bytes);
        if (test_rank == root) bench_compute(out, bytes * (size_t)test_size);
        MPI_Scatter(out, (int)bytes, MPI_BYTE, in, (int)bytes, MPI_BYTE, root, MPI_COMM_WORLD);
    }
}
static void reduce_scatter_block(size_t bytes, int begin, int end) {
    int i;
    for (i = begin; i < end; i++) {
        turn(i, bytes);
        bench_compute(out, bytes * (size_t)test_size);
        MPI_Reduce_scatter_block(out, in, (int)(bytes / 8), MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
}

static void reduce_scatter(size_t bytes, int begin, int end) {
    int i;
    for (even(bytes / 8), i = begin; i < end; i++) {
        turn(i, bytes);
        bench_compute(out, bytes * (size_t)test_size);
        MPI_Reduce_scatter(out, in, counts, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
}
static void allgatherv(size_t bytes, int begin, int end) {
    int i;
    for (even(bytes), i = begin; i < end; i++) {
        turn(i, bytes);
        bench_compute(out, bytes);
        MPI_Allgatherv(out, (int)bytes, MPI_BYTE, in, counts, places, MPI_BYTE, MPI_COMM_WORLD);
    }
}
static void alltoallv(size_t bytes, int begin, int end) {
    int i;
    for (even(bytes), i = begin; i < end; i++) {
        turn(i, bytes);
        bench_compute(out, bytes * (size_t)test_size);
        MPI_Alltoallv(out, counts, places, MPI_BYTE, in, counts, places, MPI_BYTE, MPI_COMM_WORLD);
    }
}
static void gatherv(size_t bytes, int begin, int end) {
    int i;
    for (even(bytes), i = begin; i < end; i++) {
        int root = bench_root(i);
        turn(i, bytes);
        bench_compute(out, bytes);
        MPI_Gatherv(out, (int)bytes, MPI_BYTE, in, counts, places, MPI_BYTE, root, MPI_COMM_WORLD);
    }
}
static void scatterv(size_t bytes, int begin, int end) {
    int i;
    for (even(bytes), i = begin; i < end; i++) {
        int root = bench_root(i);
        turn(i, bytes);
        if (test_rank == root) bench_compute(out, bytes * (size_t)test_size);
        MPI_Scatterv(out, counts, places, MPI_BYTE, in, (int)bytes, MPI_BYTE, root, MPI_COMM_WORLD);
    }
}

static const struct {
    const char *name;
    void (*body)(size_t bytes, int begin, int end);
    int sized;
} all[] = {{"barrier", barrier, 0},
           {"bcast", bcast, 1},
           {"allreduce", allreduce, 1},
           {"reduce", reduce, 1},
           {"allgather", allgather, 1},
           {"alltoall", alltoall, 1},
           {"gather", gather, 1},
           {"scatter", scatter, 1},
           {"reduce_scatter_block", reduce_scatter_block, 1},
           {"reduce_scatter", reduce_scatter, 1},
           {"scan", scan, 1},
           {"exscan", exscan, 1},
           {"allgatherv", allgatherv, 1},
           {"alltoallv", alltoallv, 1},
           {"gatherv", gatherv, 1},
           {"scatterv", scatterv, 1},
           {"allreduce_in_place", allreduce_in_place, 1}};
enum { ALL = sizeof all / sizeof all[0], USUAL = ALL - 1 };

int main(int argc, char **argv) {
    enum { MOST = 64, SIZES = 12 };
    size_t sizes[MOST] = {8,        64,       1 << 10,   4 << 10,   8 << 10, 16 << 10,
                          32 << 10, 64 << 10, 128 << 10, 256 << 10, 1 << 20, 4 << 20};
    int first, i, k, s, count = 0, named = 0, chosen = 0, wanted[ALL];
    bench_largest = 4 << 20;
    first = bench_start(&argc, &argv);
    for (i = first; i < argc; i++) {
        size_t bytes = (size_t)atoll(argv[i]);
        if (bytes > 0 && count < MOST) {
            sizes[count++] = bytes;
            if (bytes > bench_largest) bench_largest = bytes;
        } else {
            named++;
        }
    }
    if (count == 0) count = SIZES;
    for (k = 0; k < ALL; k++) {
        wanted[k] = named == 0 && k < USUAL;
        for (i = first; i < argc; i++) wanted[k] |= strcmp(argv[i], all[k].name) == 0;
        chosen += wanted[k];
    }
    if (chosen == 0) {
        if (test_rank == 0) fprintf(stderr, "no such collective: %s\n", argv[first]);
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    outs = bench_pool(bench_largest * (size_t)test_size);
    ins = bench_pool(bench_largest * (size_t)test_size);
    counts = test_alloc(sizeof(int) * (size_t)test_size);
    places = test_alloc(sizeof(int) * (size_t)test_size);
    for (k = 0; k < ALL; k++)
        for (s = 0; wanted[k] && s < count && sizes[s] <= bench_largest; s++) {
            if (!all[k].sized && s > 0) break;
            bench_measure(all[k].name, all[k].sized ? sizes[s] : 0, 1.0, 1.0 / (count * chosen), all[k].body);
        }
    free(counts);
    free(places);
    free(outs);
    free(ins);
    return bench_finish();
}
