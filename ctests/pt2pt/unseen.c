/* Long messages into memory that nobody has written before, and collectives that other processes may
 * write the results of: under valgrind every byte must count as written. */
#include "../test.h"

enum { ROUNDS = 3 };
static const size_t sizes[] = {1, 5000, 16384, 16385, 70000, 300001};

/* Looks at every byte, as a program would. */
static void look(const char *what, const unsigned char *bytes, size_t length, unsigned seed) {
    CHECK_FILL(what, bytes, length, seed);
}

static void message(size_t bytes) {
    unsigned char *out = test_alloc(bytes), *in = malloc(bytes);
    int to = (test_rank + 1) % test_size, from = (test_rank + test_size - 1) % test_size;
    test_fill(out, bytes, 7u + (unsigned)test_rank);
    /* One way, so that the sender has time to take part. */
    if (test_rank % 2 == 0 && test_rank + 1 < test_size)
        MUST(MPI_Send(out, (int)bytes, MPI_BYTE, test_rank + 1, 1, MPI_COMM_WORLD));
    if (test_rank % 2 == 1) {
        MUST(MPI_Recv(in, (int)bytes, MPI_BYTE, test_rank - 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        look("message", in, bytes, 6u + (unsigned)test_rank);
    }
    free(in);
    in = malloc(bytes);
    MUST(MPI_Sendrecv(out, (int)bytes, MPI_BYTE, to, 2, in, (int)bytes, MPI_BYTE, from, 2, MPI_COMM_WORLD,
                      MPI_STATUS_IGNORE));
    look("exchange", in, bytes, 7u + (unsigned)from);
    free(in);
    free(out);
}

static void collectives(size_t bytes) {
    unsigned char *out = test_alloc(bytes), *in = malloc(bytes * (size_t)test_size);
    int rank;
    test_fill(out, bytes, 3u + (unsigned)test_rank);
    MUST(MPI_Gather(out, (int)bytes, MPI_BYTE, in, (int)bytes, MPI_BYTE, 0, MPI_COMM_WORLD));
    for (rank = 0; test_rank == 0 && rank < test_size; rank++)
        look("gather", in + (size_t)rank * bytes, bytes, 3u + (unsigned)rank);
    free(in);
    in = malloc(bytes * (size_t)test_size);
    MUST(MPI_Allgather(out, (int)bytes, MPI_BYTE, in, (int)bytes, MPI_BYTE, MPI_COMM_WORLD));
    for (rank = 0; rank < test_size; rank++)
        look("allgather", in + (size_t)rank * bytes, bytes, 3u + (unsigned)rank);
    free(in);
    free(out);
}

int main(int argc, char **argv) {
    size_t i;
    int round;
    test_start(&argc, &argv);
    for (round = 0; round < ROUNDS; round++)
        for (i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
            message(sizes[i]);
            collectives(sizes[i]);
        }
    return test_finish();
}
