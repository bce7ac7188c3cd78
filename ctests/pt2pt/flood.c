/* Back-pressure: a receiver that is not listening is flooded by every other rank with 20,000 small
 * and 200 large messages; nothing may be lost, reordered or damaged, and nobody may deadlock. */
#include "../test.h"
#include <time.h>

enum { SMALL = 20000, LARGE = 200, LARGE_BYTES = 150000 };

static void pause_ms(long ms) {
    struct timespec t;
    t.tv_sec = ms / 1000, t.tv_nsec = ms % 1000 * 1000000;
    nanosleep(&t, NULL);
}

int main(int argc, char **argv) {
    int i, from, *next;
    unsigned char *large = test_alloc(LARGE_BYTES);
    MPI_Status status;
    test_deadline = 120;
    test_start(&argc, &argv);
    next = calloc((size_t)test_size, sizeof(int));

    STEP("small flood");
    if (test_rank != 0) {
        for (i = 0; i < SMALL; i++) {
            int value[2];
            value[0] = i, value[1] = test_rank;
            MUST(MPI_Send(value, 2, MPI_INT, 0, 1, MPI_COMM_WORLD));
        }
    } else {
        pause_ms(300);
        /* By source first for the last rank, so that the others' messages pile up as unexpected. */
        for (i = 0; i < SMALL; i++) {
            int value[2] = {-1, -1};
            MUST(MPI_Recv(value, 2, MPI_INT, test_size - 1, 1, MPI_COMM_WORLD, &status));
            EQUAL("small number", i, value[0]);
            EQUAL("small source", test_size - 1, value[1]);
        }
        for (i = 0; i < SMALL * (test_size - 2); i++) {
            int value[2] = {-1, -1};
            MUST(MPI_Recv(value, 2, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &status));
            from = status.MPI_SOURCE;
            EQUAL("small source", from, value[1]);
            EQUAL("small number", next[from], value[0]);
            next[from]++;
        }
    }

    STEP("large flood");
    memset(next, 0, (size_t)test_size * sizeof(int));
    if (test_rank != 0) {
        MPI_Request request[LARGE];
        unsigned char *buffers = test_alloc((size_t)LARGE * LARGE_BYTES);
        for (i = 0; i < LARGE; i++) {
            unsigned char *p = buffers + (size_t)i * LARGE_BYTES;
            test_fill(p, LARGE_BYTES, (unsigned)(test_rank * 1000 + i));
            MUST(MPI_Isend(p, LARGE_BYTES, MPI_BYTE, 0, 2, MPI_COMM_WORLD, &request[i]));
        }
        MUST(MPI_Waitall(LARGE, request, MPI_STATUSES_IGNORE));
        free(buffers);
    } else {
        pause_ms(300);
        for (i = 0; i < LARGE * (test_size - 1); i++) {
            MUST(MPI_Recv(large, LARGE_BYTES, MPI_BYTE, MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, &status));
            from = status.MPI_SOURCE;
            CHECK_FILL("large", large, LARGE_BYTES, (unsigned)(from * 1000 + next[from]));
            next[from]++;
        }
    }

    /* Everybody floods its neighbour at once and only then receives. */
    STEP("mutual flood");
    {
        enum { EACH = 2000 };
        MPI_Request *request = test_alloc(EACH * sizeof(MPI_Request));
        int *value = test_alloc(EACH * sizeof(int)), got = -1;
        int right = (test_rank + 1) % test_size, left = (test_rank + test_size - 1) % test_size;
        for (i = 0; i < EACH; i++) {
            value[i] = i * 3 + test_rank;
            MUST(MPI_Isend(&value[i], 1, MPI_INT, right, 4, MPI_COMM_WORLD, &request[i]));
        }
        for (i = 0; i < EACH; i++) {
            MUST(MPI_Recv(&got, 1, MPI_INT, left, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
            EQUAL("mutual number", i * 3 + left, got);
        }
        MUST(MPI_Waitall(EACH, request, MPI_STATUSES_IGNORE));
        free(request);
        free(value);
    }
    free(large);
    free(next);
    return test_finish();
}
