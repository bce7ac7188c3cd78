/* Random traffic that every rank can predict: all ranks draw the same schedule from a seed (the
 * argument, 1 without it), post their receives and sends of a round in an order of their own, and
 * complete them in different ways. Sizes cross every protocol, modes and datatypes are mixed, some
 * receives come late, some use wildcards of the source where the tag says it all. */
#include "../test.h"
#include <time.h>

enum { ROUNDS = 60, MESSAGES = 150, MOST_BYTES = 300000 };

typedef struct {
    int from, to, tag, bytes, mode, strided, wild, late;
} message;

/* The two generators: one whose state all ranks share, one of each rank's own. */
static unsigned long long common, own;
static unsigned draw(unsigned long long *state, unsigned below) {
    *state = *state * 6364136223846793005ULL + 1442695040888963407ULL;
    return (unsigned)(*state >> 33) % below;
}

static int size_of(unsigned which) {
    static const int edges[] = {0, 1, 8, 40, 64, 256, 1024, 4096, 8192, 16384, 32768, 65536, 131072};
    int n = edges[which % 13] + (int)draw(&common, 9) - 4;
    if (which % 29 == 0) n = (int)draw(&common, MOST_BYTES);
    return n < 0 ? 0 : n;
}

static void shuffle(int *list, int n) {
    int i;
    for (i = n - 1; i > 0; i--) {
        int k = (int)draw(&own, (unsigned)i + 1), t = list[i];
        list[i] = list[k], list[k] = t;
    }
}

static void post(const message *m, int index, int sending, unsigned char **buffer, MPI_Datatype *pairs,
                 MPI_Request *request) {
    /* Strided: every byte is followed by one that is left alone. */
    int room = m->strided ? 2 * m->bytes : m->bytes, count = m->bytes, i;
    MPI_Datatype type = m->strided ? *pairs : MPI_BYTE;
    unsigned char *p = *buffer = test_alloc((size_t)room + 1);
    int src = m->wild ? MPI_ANY_SOURCE : m->from;
    memset(p, 0x3C, (size_t)room + 1);
    if (!sending) {
        MUST(MPI_Irecv(p, count, type, src, m->tag, MPI_COMM_WORLD, request));
        return;
    }
    for (i = 0; i < m->bytes; i++) p[m->strided ? 2 * i : i] = test_byte((unsigned)index, (size_t)i);
    switch (m->mode) {
        case 0:
        case 1: MUST(MPI_Isend(p, count, type, m->to, m->tag, MPI_COMM_WORLD, request)); break;
        case 2: MUST(MPI_Issend(p, count, type, m->to, m->tag, MPI_COMM_WORLD, request)); break;
        default: MUST(MPI_Ibsend(p, count, type, m->to, m->tag, MPI_COMM_WORLD, request)); break;
    }
}

static void verify(const message *m, int index, const unsigned char *p, const MPI_Status *status) {
    int i;
    CHECK_STATUS("random", status, m->from, m->tag, MPI_BYTE, m->bytes);
    for (i = 0; i < m->bytes; i++) {
        int at = m->strided ? 2 * i : i;
        if (p[at] != test_byte((unsigned)index, (size_t)i) || (m->strided && p[at + 1] != 0x3C)) {
            CHECK(0, "message %d of %d bytes from %d, tag %d, mode %d%s: byte %d: expected 0x%02x, got 0x%02x", index,
                  m->bytes, m->from, m->tag, m->mode, m->strided ? ", strided" : "", i,
                  test_byte((unsigned)index, (size_t)i), p[at]);
            return;
        }
    }
    EQUAL("byte after", 0x3C, p[m->strided ? 2 * m->bytes : m->bytes]);
}

int main(int argc, char **argv) {
    static message list[MESSAGES];
    static int mine[2 * MESSAGES];
    static MPI_Request request[2 * MESSAGES];
    static unsigned char *buffer[2 * MESSAGES];
    size_t room = (size_t)MESSAGES * (MPI_BSEND_OVERHEAD + 5000);
    void *attached = test_alloc(room), *detached;
    int round, i, k, n, seed, length;
    MPI_Datatype spaced;
    test_deadline = 100;
    test_start(&argc, &argv);
    seed = argc > 1 ? atoi(argv[1]) : 1;
    common = (unsigned long long)seed, own = common * 1000 + (unsigned long long)test_rank;
    MUST(MPI_Type_create_resized(MPI_BYTE, 0, 2, &spaced));
    MUST(MPI_Type_commit(&spaced));
    MUST(MPI_Buffer_attach(attached, (int)room));
    for (round = 0; round < ROUNDS && test_errors == 0; round++) {
        STEP("post");
        for (i = n = 0; i < MESSAGES; i++) {
            message *m = &list[i];
            m->from = (int)draw(&common, (unsigned)test_size), m->to = (int)draw(&common, (unsigned)test_size);
            /* Ranks may be a round apart, so a wildcard must not see the next round's message. */
            m->tag = round * MESSAGES + i, m->bytes = size_of(draw(&common, 1000));
            m->mode = (int)draw(&common, 4), m->strided = draw(&common, 4) == 0, m->wild = draw(&common, 4) == 0;
            m->late = draw(&common, 3) == 0;
            /* The attached buffer holds every small message of a round. */
            if (m->mode == 3 && m->bytes > 4500) m->mode = 0;
            if (m->to == test_rank) mine[n++] = i;
            if (m->from == test_rank) mine[n++] = MESSAGES + i;
        }
        shuffle(mine, n);
        for (k = 0; k < n; k++) request[k] = MPI_REQUEST_NULL, buffer[k] = NULL;
        for (k = 0; k < n; k++) {
            const message *m = &list[mine[k] % MESSAGES];
            if (m->late && mine[k] < MESSAGES) continue;
            post(m, mine[k] % MESSAGES, mine[k] >= MESSAGES, &buffer[k], &spaced, &request[k]);
        }
        STEP("late receives");
        if (draw(&own, 3) == 0) {
            struct timespec t;
            t.tv_sec = 0, t.tv_nsec = (long)draw(&own, 2000000);
            nanosleep(&t, NULL);
        }
        for (k = 0; k < n; k++)
            if (list[mine[k] % MESSAGES].late && mine[k] < MESSAGES)
                post(&list[mine[k]], mine[k], 0, &buffer[k], &spaced, &request[k]);
        STEP("complete");
        for (i = 0; i < n; i++) {
            MPI_Status status;
            int flag = 0;
            if (draw(&own, 2) == 0)
                MUST(MPI_Waitany(n, request, &k, &status));
            else
                do MUST(MPI_Testany(n, request, &k, &flag, &status));
                while (!flag);
            if (k < 0 || k >= n) {
                CHECK(0, "completion of request %d of %d", k, n);
                break;
            }
            if (mine[k] < MESSAGES) verify(&list[mine[k]], mine[k], buffer[k], &status);
        }
        for (k = 0; k < n; k++) free(buffer[k]);
        STEP("buffered ones delivered");
        MUST(MPI_Buffer_detach(&detached, &length));
        MUST(MPI_Buffer_attach(attached, (int)room));
    }
    MUST(MPI_Buffer_detach(&detached, &length));
    MUST(MPI_Type_free(&spaced));
    i = test_finish();
    free(attached);
    return i;
}
