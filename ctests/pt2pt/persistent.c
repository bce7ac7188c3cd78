/* Persistent requests of all five kinds: start and startall, reuse, waiting while inactive, and
 * receives and sends paired with non-persistent ones. */
#include "../test.h"

enum { KINDS = 4, ROUNDS = 30, WORDS = 6000 };

static void init(int kind, int *buffer, int words, int peer, int tag, MPI_Request *request) {
    switch (kind) {
        case 0: MUST(MPI_Send_init(buffer, words, MPI_INT, peer, tag, MPI_COMM_WORLD, request)); break;
        case 1: MUST(MPI_Ssend_init(buffer, words, MPI_INT, peer, tag, MPI_COMM_WORLD, request)); break;
        case 2: MUST(MPI_Bsend_init(buffer, words, MPI_INT, peer, tag, MPI_COMM_WORLD, request)); break;
        default: MUST(MPI_Rsend_init(buffer, words, MPI_INT, peer, tag, MPI_COMM_WORLD, request)); break;
    }
}

int main(int argc, char **argv) {
    int kind, round, i, flag, index, size, right, left;
    int *out = test_alloc(KINDS * WORDS * sizeof(int)), *in = test_alloc(KINDS * WORDS * sizeof(int));
    size_t room = 4 * (WORDS * sizeof(int) + MPI_BSEND_OVERHEAD);
    void *attached = test_alloc(room);
    MPI_Request request[2 * KINDS], one;
    MPI_Status status[2 * KINDS];
    test_start(&argc, &argv);
    right = (test_rank + 1) % test_size, left = (test_rank + test_size - 1) % test_size;
    MUST(MPI_Buffer_attach(attached, (int)room));

    STEP("init");
    for (kind = 0; kind < KINDS; kind++) {
        MUST(MPI_Recv_init(in + kind * WORDS, WORDS, MPI_INT, left, kind, MPI_COMM_WORLD, &request[kind]));
        init(kind, out + kind * WORDS, WORDS, right, kind, &request[KINDS + kind]);
    }
    STEP("inactive requests complete at once");
    MUST(MPI_Waitall(2 * KINDS, request, status));
    MUST(MPI_Testany(2 * KINDS, request, &index, &flag, &status[0]));
    EQUAL("testany of inactive", 1, flag);
    EQUAL("testany index", MPI_UNDEFINED, index);
    MUST(MPI_Wait(&request[0], &status[0]));
    CHECK_STATUS("empty status", &status[0], MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_INT, 0);

    for (round = 0; round < ROUNDS; round++) {
        STEP("round");
        for (i = 0; i < KINDS * WORDS; i++) out[i] = test_rank * 1000000 + round * 1000 + i, in[i] = -1;
        MUST(MPI_Startall(KINDS, request));
        /* The ready send needs its receive posted; the others do not mind. */
        MUST(MPI_Barrier(MPI_COMM_WORLD));
        if (round % 2)
            MUST(MPI_Startall(KINDS, request + KINDS));
        else
            for (kind = 0; kind < KINDS; kind++) MUST(MPI_Start(&request[KINDS + kind]));
        MUST(MPI_Waitall(2 * KINDS, request, status));
        for (kind = 0; kind < KINDS; kind++) {
            CHECK(request[kind] != MPI_REQUEST_NULL, "persistent request became null");
            CHECK_STATUS("round", &status[kind], left, kind, MPI_INT, WORDS);
        }
        for (i = 0; i < KINDS * WORDS; i++)
            if (in[i] != left * 1000000 + round * 1000 + i) {
                EQUAL("value", left * 1000000 + round * 1000 + i, in[i]);
                break;
            }
    }
    STEP("free");
    for (i = 0; i < 2 * KINDS; i++) {
        MUST(MPI_Request_free(&request[i]));
        CHECK(request[i] == MPI_REQUEST_NULL, "request_free left the handle");
    }

    STEP("persistent send, plain receive, with request_free while active");
    MUST(MPI_Send_init(out, 10, MPI_INT, right, 9, MPI_COMM_WORLD, &one));
    MUST(MPI_Start(&one));
    MUST(MPI_Recv(in, 10, MPI_INT, left, 9, MPI_COMM_WORLD, &status[0]));
    CHECK_STATUS("plain receive", &status[0], left, 9, MPI_INT, 10);
    MUST(MPI_Request_free(&one));

    STEP("detach");
    MPI_Barrier(MPI_COMM_WORLD);
    {
        void *detached;
        MUST(MPI_Buffer_detach(&detached, &size));
    }
    i = test_finish();
    free(attached);
    free(out);
    free(in);
    return i;
}
