/* Buffered sends: they complete without a receiver, room is reused, detach waits for delivery and
 * gives address and size back. Running out of room is in errors/buffer.c. */
#include "../test.h"

int main(int argc, char **argv) {
    enum { WORDS = 1000, COUNT = 20 };
    int i, k, round, size, packed, length, *out, *in, right, left;
    char *room;
    void *detached;
    MPI_Request request;
    test_start(&argc, &argv);
    right = (test_rank + 1) % test_size, left = (test_rank + test_size - 1) % test_size;
    MUST(MPI_Pack_size(WORDS, MPI_INT, MPI_COMM_WORLD, &packed));
    size = COUNT * (packed + MPI_BSEND_OVERHEAD);
    room = test_alloc((size_t)size);
    out = test_alloc(WORDS * sizeof(int)), in = test_alloc(WORDS * sizeof(int));

    STEP("rounds");
    MUST(MPI_Buffer_attach(room, size));
    for (round = 0; round < 30; round++) {
        for (k = 0; k < COUNT; k++) {
            for (i = 0; i < WORDS; i++) out[i] = round * 10000 + k * 100 + i + test_rank;
            if (k % 2)
                MUST(MPI_Bsend(out, WORDS, MPI_INT, right, k, MPI_COMM_WORLD));
            else {
                MUST(MPI_Ibsend(out, WORDS, MPI_INT, right, k, MPI_COMM_WORLD, &request));
                MUST(MPI_Wait(&request, MPI_STATUS_IGNORE));
            }
            memset(out, 0, WORDS * sizeof(int));
        }
        for (k = COUNT - 1; k >= 0; k--) {
            MUST(MPI_Recv(in, WORDS, MPI_INT, left, k, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
            for (i = 0; i < WORDS; i++)
                if (in[i] != round * 10000 + k * 100 + i + left) {
                    EQUAL("word", round * 10000 + k * 100 + i + left, in[i]);
                    break;
                }
        }
        /* Everybody has received everything, so detach returns and all of the room is free again. */
        MPI_Barrier(MPI_COMM_WORLD);
        MUST(MPI_Buffer_detach(&detached, &length));
        CHECK(detached == room, "detach gave another address");
        EQUAL("size", size, length);
        MUST(MPI_Buffer_attach(room, size));
    }

    STEP("detach waits for delivery");
    for (i = 0; i < WORDS; i++) out[i] = i;
    MUST(MPI_Bsend(out, WORDS, MPI_INT, right, 7, MPI_COMM_WORLD));
    MUST(MPI_Irecv(in, WORDS, MPI_INT, left, 7, MPI_COMM_WORLD, &request));
    MUST(MPI_Buffer_detach(&detached, &length));
    memset(room, 0xEE, (size_t)size);
    MUST(MPI_Wait(&request, MPI_STATUS_IGNORE));
    EQUAL("last word", WORDS - 1, in[WORDS - 1]);
    free(room);
    free(out);
    free(in);
    return test_finish();
}
