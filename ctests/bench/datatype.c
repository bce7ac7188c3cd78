/* Ping-pong of derived datatypes between ranks 0 and 1: one-way time. `vector`: every other double; `blocks`: 8 doubles
 * and a gap of 8; `indexed`: pairs of doubles at uneven distances; `struct`: an int and a double, with the gap that a
 * compiler leaves between them. bytes is the packed size, about. */
#include "bench.h"

static char *buffer;
static MPI_Datatype type;
static int elements;

static void ping_pong(size_t bytes, int begin, int end) {
    int i;
    (void)bytes;
    for (i = begin; i < end && test_rank < 2; i++) {
        if (test_rank == 0) MPI_Send(buffer, elements, type, 1, 1, MPI_COMM_WORLD);
        MPI_Recv(buffer, elements, type, 1 - test_rank, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (test_rank == 1) MPI_Send(buffer, elements, type, 0, 1, MPI_COMM_WORLD);
    }
}

static void measure(const char *op, size_t bytes, int count) {
    elements = count;
    MPI_Type_commit(&type);
    bench_measure(op, bytes, 0.5, 0.04, ping_pong);
    MPI_Type_free(&type);
}

static void indexed(size_t bytes) {
    int i, pairs = (int)(bytes / 16);
    int *lengths = test_alloc((size_t)pairs * sizeof *lengths);
    int *places = test_alloc((size_t)pairs * sizeof *places);
    for (i = 0; i < pairs; i++) {
        lengths[i] = 2;
        places[i] = 3 * i + i % 2;
    }
    MPI_Type_indexed(pairs, lengths, places, MPI_DOUBLE, &type);
    free(lengths);
    free(places);
}

int main(int argc, char **argv) {
    int lengths[] = {1, 1};
    MPI_Aint places[] = {0, 8};
    MPI_Datatype types[] = {MPI_INT, MPI_DOUBLE};
    size_t bytes, largest = 1u << 20;
    bench_start(&argc, &argv);
    if (test_size < 2) MPI_Abort(MPI_COMM_WORLD, 2);
    if (bench_largest < largest) largest = bench_largest;
    buffer = test_alloc(2 * largest + 64);
    memset(buffer, 1, 2 * largest + 64);
    for (bytes = 256; bytes <= largest; bytes *= 8) {
        MPI_Type_vector((int)(bytes / 8), 1, 2, MPI_DOUBLE, &type);
        measure("vector", bytes, 1);
        MPI_Type_vector((int)(bytes / 64), 8, 16, MPI_DOUBLE, &type);
        measure("blocks", bytes, 1);
        indexed(bytes);
        measure("indexed", bytes, 1);
        MPI_Type_create_struct(2, lengths, places, types, &type);
        measure("struct", bytes, (int)(bytes / 12));
    }
    free(buffer);
    return bench_finish();
}
