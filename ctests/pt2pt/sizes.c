/* Every send mode, blocking and not, at sizes around the protocols' switches, received early and
 * late; every byte is checked. Ranks work in pairs (r, r^1), so that several pairs can run at once. */
#include "../test.h"

static const size_t sizes[] = {0,    1,     7,     8,     9,     39,    40,     41,      64,
                               1000, 2048,  2049,  4096,  16384, 16385, 65536,  262147,  (4 << 20) + 3};
enum { SIZES = sizeof sizes / sizeof sizes[0], LARGEST = (4 << 20) + 3, MODES = 8 };
static const char *const modes[MODES] = {"Send", "Bsend", "Ssend", "Rsend", "Isend", "Ibsend", "Issend", "Irsend"};

static void do_send(int mode, void *buffer, int bytes, int peer, int tag) {
    MPI_Request request = MPI_REQUEST_NULL;
    switch (mode) {
        case 0: MUST(MPI_Send(buffer, bytes, MPI_BYTE, peer, tag, MPI_COMM_WORLD)); return;
        case 1: MUST(MPI_Bsend(buffer, bytes, MPI_BYTE, peer, tag, MPI_COMM_WORLD)); return;
        case 2: MUST(MPI_Ssend(buffer, bytes, MPI_BYTE, peer, tag, MPI_COMM_WORLD)); return;
        case 3: MUST(MPI_Rsend(buffer, bytes, MPI_BYTE, peer, tag, MPI_COMM_WORLD)); return;
        case 4: MUST(MPI_Isend(buffer, bytes, MPI_BYTE, peer, tag, MPI_COMM_WORLD, &request)); break;
        case 5: MUST(MPI_Ibsend(buffer, bytes, MPI_BYTE, peer, tag, MPI_COMM_WORLD, &request)); break;
        case 6: MUST(MPI_Issend(buffer, bytes, MPI_BYTE, peer, tag, MPI_COMM_WORLD, &request)); break;
        default: MUST(MPI_Irsend(buffer, bytes, MPI_BYTE, peer, tag, MPI_COMM_WORLD, &request)); break;
    }
    MUST(MPI_Wait(&request, MPI_STATUS_IGNORE));
    CHECK(request == MPI_REQUEST_NULL, "request not null after wait");
}

/* `late`: the receive is posted only after the message had time to arrive. */
static void one(int mode, size_t bytes, int late, unsigned char *buffer, int sender, int peer) {
    int ready = mode == 3 || mode == 7;
    int tag = mode * 100 + late;
    unsigned seed = (unsigned)(mode + late * 11) + (unsigned)bytes;
    char what[80];
    MPI_Status status;
    snprintf(what, sizeof what, "%s of %lu bytes, %s", modes[mode], (unsigned long)bytes, late ? "late" : "early");
    if (sender) {
        test_fill(buffer, bytes, seed);
        if (!late) MUST(MPI_Recv(NULL, 0, MPI_BYTE, peer, 9999, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        do_send(mode, buffer, (int)bytes, peer, tag);
        CHECK_FILL(what, buffer, bytes, seed);
        return;
    }
    memset(buffer, 0xA5, bytes + 1);
    if (late && ready) return;
    if (late) {
        /* Probing finds the message unexpected, without the receive posted. */
        MUST(MPI_Probe(peer, tag, MPI_COMM_WORLD, &status));
        CHECK_STATUS(what, &status, peer, tag, MPI_BYTE, (int)bytes);
        MUST(MPI_Recv(buffer, (int)bytes, MPI_BYTE, peer, tag, MPI_COMM_WORLD, &status));
    } else {
        MPI_Request request;
        MUST(MPI_Irecv(buffer, (int)bytes, MPI_BYTE, peer, tag, MPI_COMM_WORLD, &request));
        MUST(MPI_Send(NULL, 0, MPI_BYTE, peer, 9999, MPI_COMM_WORLD));
        MUST(MPI_Wait(&request, &status));
    }
    CHECK_STATUS(what, &status, peer, tag, MPI_BYTE, (int)bytes);
    CHECK_FILL(what, buffer, bytes, seed);
    EQUAL(what, 0xA5, buffer[bytes]);
}

int main(int argc, char **argv) {
    unsigned char *buffer = test_alloc(LARGEST + 1);
    size_t room = LARGEST + MPI_BSEND_OVERHEAD + 1024;
    void *attached = test_alloc(room), *detached;
    int i, mode, late, turn, length, peer;
    test_start(&argc, &argv);
    MUST(MPI_Buffer_attach(attached, (int)room));
    peer = test_rank ^ 1;
    for (turn = 0; turn < 2 && peer < test_size; turn++)
        for (i = 0; i < SIZES; i++)
            for (mode = 0; mode < MODES; mode++)
                for (late = 0; late < 2; late++) {
                    int ready = mode == 3 || mode == 7;
                    STEP(modes[mode]);
                    if (late && ready) continue;
                    one(mode, sizes[i], late, buffer, (test_rank & 1) == turn, peer);
                    if (mode == 1 || mode == 5) {
                        /* Empties the buffer, so that the next size has room. */
                        MUST(MPI_Buffer_detach(&detached, &length));
                        CHECK(detached == attached, "detach gave another address");
                        EQUAL("detached size", room, length);
                        MUST(MPI_Buffer_attach(attached, (int)room));
                    }
                }
    MUST(MPI_Buffer_detach(&detached, &length));
    i = test_finish();
    free(attached);
    free(buffer);
    return i;
}
