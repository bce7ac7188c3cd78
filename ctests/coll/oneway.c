/* Reductions of all lengths after data that went one way: each rank's exchange buffers may then be with another one, so what is
 * reduced lies in shared memory of other lengths. Also elements that are longer than what is combined at a time. */
#include "../test.h"

enum { MOST = 160 << 10, WORDS = MOST / (int)sizeof(long long) };

static long long *out, *in;

/* What rank `rank` has at `i`. */
static long long value(int rank, int i) {
    return (long long)(rank + 1) * (i % 1009 + 1);
}

/* The sum over all ranks. */
static long long sum(int i) {
    return (long long)test_size * (test_size + 1) / 2 * (i % 1009 + 1);
}

static void refill(int words) {
    int i;
    for (i = 0; i < words; i++) out[i] = value(test_rank, i), in[i] = -1;
}

static void expect(const char *what, const long long *got, int from, int words) {
    int i;
    for (i = 0; i < words; i++)
        if (got[i] != sum(from + i)) {
            CHECK(0, "%s of %d words: word %d is %lld, expected %lld", what, words, i, got[i], sum(from + i));
            return;
        }
}

/* Adds elements of so many words as the type has. */
static void add(void *left, void *right, int *count, MPI_Datatype *type) {
    long long *from = left, *to = right;
    int bytes, i, words;
    MPI_Type_size(*type, &bytes);
    words = bytes / (int)sizeof(long long) * *count;
    for (i = 0; i < words; i++) to[i] += from[i];
}

/* Data from rank `root` to all others, some times. */
static void one_way(int root, int bytes) {
    int k;
    for (k = 0; k < 6; k++) {
        if (test_rank == root) test_fill(in, (size_t)bytes, 7);
        MUST(MPI_Bcast(in, bytes, MPI_BYTE, root, MPI_COMM_WORLD));
    }
}

int main(int argc, char **argv) {
    static const int lengths[] = {16,    1000,  8192,  8200,  9000,  10000, 12288, 16384, 16392, 20000, 24576,
                                  32768, 32776, 40000, 50000, 65536, 65544, 90000, 131072, 140000};
    enum { LENGTHS = sizeof lengths / sizeof lengths[0] };
    int i, k, way, code;
    MPI_Op op;
    test_watchdog(60);
    MPI_Init(&argc, &argv);
    test_started();
    out = test_alloc(MOST);
    in = test_alloc(MOST);
    /* The memory is shared from the third collective on. */
    for (i = 0; i < 4; i++) MUST(MPI_Barrier(MPI_COMM_WORLD));
    for (way = 0; way < 3; way++)
        for (k = 0; k < LENGTHS; k++) {
            int words = lengths[k] / (int)sizeof(long long) / test_size * test_size, block = words / test_size;
            if (way > 0) one_way(way - 1, way == 1 ? 4096 : lengths[k]);
            STEP("allreduce");
            refill(words);
            MUST(MPI_Allreduce(out, in, words, MPI_LONG_LONG, MPI_SUM, MPI_COMM_WORLD));
            expect("allreduce", in, 0, words);
            STEP("allreduce in place");
            refill(words);
            MUST(MPI_Allreduce(MPI_IN_PLACE, out, words, MPI_LONG_LONG, MPI_SUM, MPI_COMM_WORLD));
            expect("allreduce in place", out, 0, words);
            STEP("reduce_scatter_block");
            refill(words);
            MUST(MPI_Reduce_scatter_block(out, in, block, MPI_LONG_LONG, MPI_SUM, MPI_COMM_WORLD));
            expect("reduce_scatter_block", in, test_rank * block, block);
            STEP("reduce");
            refill(words);
            MUST(MPI_Reduce(out, in, words, MPI_LONG_LONG, MPI_SUM, k % test_size, MPI_COMM_WORLD));
            if (test_rank == k % test_size) expect("reduce", in, 0, words);
        }
    /* One to some elements, each of so many bytes. */
    MUST(MPI_Op_create(add, 1, &op));
    for (k = 2; k < LENGTHS; k++) {
        int words = lengths[k] / (int)sizeof(long long), count;
        MPI_Datatype type;
        MUST(MPI_Type_contiguous(words, MPI_LONG_LONG, &type));
        MUST(MPI_Type_commit(&type));
        for (count = 1; count <= 3 && count * words <= WORDS; count++) {
            if (k % 2) one_way(0, 4096);
            STEP("reduce of long elements");
            refill(count * words);
            MUST(MPI_Reduce(out, in, count, type, op, k % test_size, MPI_COMM_WORLD));
            if (test_rank == k % test_size) expect("reduce of long elements", in, 0, count * words);
            STEP("allreduce of long elements");
            refill(count * words);
            MUST(MPI_Allreduce(out, in, count, type, op, MPI_COMM_WORLD));
            expect("allreduce of long elements", in, 0, count * words);
        }
        MUST(MPI_Type_free(&type));
    }
    MUST(MPI_Op_free(&op));
    free(out);
    free(in);
    code = test_finish();
    return code;
}
