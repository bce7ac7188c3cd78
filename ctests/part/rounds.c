/* Partitioned messages: every way to say what is ready, different partitions on both sides, derived
 * types, empty messages, matching by order and apart from other messages, to oneself and to nobody.
 * Where the header knows none of it there is nothing to test. */
#include "../test.h"

#if MPI_VERSION >= 4 || (defined OMPI_MAJOR_VERSION && OMPI_MAJOR_VERSION >= 5)

enum { ROUNDS = 4 };

static int value(int round, int from, int index) { return round * 10000019 + from * 1000003 + index; }

/* `total` ints in `parts` partitions to the right, from the left into `other` partitions. */
static void ring(int total, int parts, int other, int way) {
    int right = (test_rank + 1) % test_size, left = (test_rank + test_size - 1) % test_size;
    int *out = test_alloc((size_t)total * sizeof(int)), *in = test_alloc((size_t)total * sizeof(int));
    int *list = test_alloc((size_t)parts * sizeof(int));
    int round, i, flag;
    MPI_Request request[2];
    MPI_Status status[2];
    MUST(MPI_Psend_init(out, parts, total / parts, MPI_INT, right, 7, MPI_COMM_WORLD, MPI_INFO_NULL, &request[0]));
    MUST(MPI_Precv_init(in, other, total / other, MPI_INT, left, 7, MPI_COMM_WORLD, MPI_INFO_NULL, &request[1]));
    for (round = 0; round < ROUNDS; round++) {
        for (i = 0; i < total; i++) out[i] = value(round, test_rank, i), in[i] = -1;
        if (round % 2) {
            MUST(MPI_Startall(2, request));
        } else {
            MUST(MPI_Start(&request[0]));
            MUST(MPI_Start(&request[1]));
        }
        switch (way) {
            case 0: /* one by one, the last one first */
                for (i = parts - 1; i >= 0; i--) MUST(MPI_Pready(i, request[0]));
                break;
            case 1: /* two ranges */
                if (parts > 1) MUST(MPI_Pready_range(parts / 2, parts - 1, request[0]));
                MUST(MPI_Pready_range(0, parts > 1 ? parts / 2 - 1 : 0, request[0]));
                break;
            default: /* the odd ones, then the even ones */
                for (i = 0; i < parts; i++) list[i] = i < parts / 2 ? 2 * i + 1 : 2 * (i - parts / 2);
                MUST(MPI_Pready_list(parts, list, request[0]));
        }
        if (round != 1)
            for (i = 0; i < other; i++)
                for (flag = 0; !flag;) MUST(MPI_Parrived(request[1], i, &flag));
        MUST(MPI_Waitall(2, request, status));
        CHECK(request[0] != MPI_REQUEST_NULL && request[1] != MPI_REQUEST_NULL, "a partitioned request became null");
        CHECK_STATUS("receive", &status[1], left, 7, MPI_INT, total);
        for (i = 0; i < total; i++)
            if (in[i] != value(round, left, i)) {
                EQUAL("value", value(round, left, i), in[i]);
                break;
            }
        MUST(MPI_Parrived(request[1], other - 1, &flag));
        EQUAL("arrived of an inactive request", 1, flag);
    }
    MUST(MPI_Request_free(&request[0]));
    MUST(MPI_Request_free(&request[1]));
    CHECK(request[0] == MPI_REQUEST_NULL, "a freed request is not null");
    free(out);
    free(in);
    free(list);
}

/* Partitions that are there can be seen before the others are ready. */
static void flow(void) {
    enum { PARTS = 4, EACH = 50000 };
    int *in = test_alloc(PARTS * EACH * sizeof(int)), *out = test_alloc(PARTS * EACH * sizeof(int));
    int peer = test_rank ^ 1, i, flag, step;
    MPI_Request request;
    if (peer >= test_size || test_size < 2) return;
    if (test_rank % 2 == 0) {
        for (i = 0; i < PARTS * EACH; i++) out[i] = i;
        MUST(MPI_Psend_init(out, PARTS, EACH, MPI_INT, peer, 1, MPI_COMM_WORLD, MPI_INFO_NULL, &request));
        MUST(MPI_Start(&request));
        for (i = 0; i < PARTS; i++) {
            MUST(MPI_Pready(PARTS - 1 - i, request));
            /* The next one is ready only after the receiver has seen this one. */
            MUST(MPI_Recv(&step, 1, MPI_INT, peer, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
            EQUAL("step", i, step);
        }
    } else {
        MUST(MPI_Precv_init(in, PARTS, EACH, MPI_INT, peer, 1, MPI_COMM_WORLD, MPI_INFO_NULL, &request));
        MUST(MPI_Start(&request));
        for (i = 0; i < PARTS; i++) {
            int part = PARTS - 1 - i;
            for (flag = 0; !flag;) MUST(MPI_Parrived(request, part, &flag));
            EQUAL("last of the partition", (part + 1) * EACH - 1, in[(part + 1) * EACH - 1]);
            if (part > 0) {
                MUST(MPI_Parrived(request, part - 1, &flag));
                EQUAL("a partition that is not ready", 0, flag);
                MUST(MPI_Test(&request, &flag, MPI_STATUS_IGNORE));
                EQUAL("the whole message", 0, flag);
            }
            MUST(MPI_Send(&i, 1, MPI_INT, peer, 1, MPI_COMM_WORLD));
        }
    }
    MUST(MPI_Wait(&request, MPI_STATUS_IGNORE));
    MUST(MPI_Request_free(&request));
    free(in);
    free(out);
}

/* Two messages with one envelope meet in the order of their initialisation, whichever starts first; an
 * ordinary message with the same envelope goes its own way. */
static void order(void) {
    int a = -1, b = -1, c = -1, x = 100 + test_rank, y = 200 + test_rank, z = 300 + test_rank;
    int right = (test_rank + 1) % test_size, left = (test_rank + test_size - 1) % test_size;
    MPI_Request request[5];
    MUST(MPI_Psend_init(&x, 1, 1, MPI_INT, right, 3, MPI_COMM_WORLD, MPI_INFO_NULL, &request[0]));
    MUST(MPI_Isend(&z, 1, MPI_INT, right, 3, MPI_COMM_WORLD, &request[4]));
    MUST(MPI_Psend_init(&y, 1, 1, MPI_INT, right, 3, MPI_COMM_WORLD, MPI_INFO_NULL, &request[1]));
    MUST(MPI_Precv_init(&a, 1, 1, MPI_INT, left, 3, MPI_COMM_WORLD, MPI_INFO_NULL, &request[2]));
    MUST(MPI_Precv_init(&b, 1, 1, MPI_INT, left, 3, MPI_COMM_WORLD, MPI_INFO_NULL, &request[3]));
    MUST(MPI_Start(&request[3]));
    MUST(MPI_Start(&request[1]));
    MUST(MPI_Pready(0, request[1]));
    MUST(MPI_Wait(&request[1], MPI_STATUS_IGNORE));
    MUST(MPI_Wait(&request[3], MPI_STATUS_IGNORE));
    EQUAL("second message", 200 + left, b);
    EQUAL("first buffer before its start", -1, a);
    MUST(MPI_Recv(&c, 1, MPI_INT, MPI_ANY_SOURCE, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    EQUAL("ordinary message", 300 + left, c);
    MUST(MPI_Wait(&request[4], MPI_STATUS_IGNORE));
    MUST(MPI_Start(&request[0]));
    MUST(MPI_Start(&request[2]));
    MUST(MPI_Pready(0, request[0]));
    MUST(MPI_Waitall(4, request, MPI_STATUSES_IGNORE));
    EQUAL("first message", 100 + left, a);
    for (right = 0; right < 4; right++) MUST(MPI_Request_free(&request[right]));
}

/* A strided column of 3 partitions into contiguous memory of 2. */
static void types(void) {
    enum { ROWS = 6000 };
    static int matrix[ROWS][3], column[ROWS];
    int i, peer = (test_rank + 1) % test_size, left = (test_rank + test_size - 1) % test_size;
    MPI_Datatype cell;
    MPI_Request request[2];
    MUST(MPI_Type_create_resized(MPI_INT, 0, 3 * sizeof(int), &cell));
    MUST(MPI_Type_commit(&cell));
    for (i = 0; i < ROWS; i++) matrix[i][0] = matrix[i][2] = -1, matrix[i][1] = value(0, test_rank, i), column[i] = -1;
    MUST(MPI_Psend_init(&matrix[0][1], 3, ROWS / 3, cell, peer, 4, MPI_COMM_WORLD, MPI_INFO_NULL, &request[0]));
    MUST(MPI_Precv_init(column, 2, ROWS / 2, MPI_INT, left, 4, MPI_COMM_WORLD, MPI_INFO_NULL, &request[1]));
    MUST(MPI_Type_free(&cell));
    MUST(MPI_Startall(2, request));
    MUST(MPI_Pready_range(1, 2, request[0]));
    MUST(MPI_Pready(0, request[0]));
    MUST(MPI_Waitall(2, request, MPI_STATUSES_IGNORE));
    for (i = 0; i < ROWS; i++)
        if (column[i] != value(0, left, i)) {
            EQUAL("column", value(0, left, i), column[i]);
            break;
        }
    MUST(MPI_Request_free(&request[0]));
    MUST(MPI_Request_free(&request[1]));
}

static void empty(void) {
    int peer = (test_rank + 1) % test_size, left = (test_rank + test_size - 1) % test_size, round, flag = 0;
    MPI_Request request[2];
    MPI_Status status[2];
    MUST(MPI_Psend_init(NULL, 2, 0, MPI_INT, peer, 5, MPI_COMM_WORLD, MPI_INFO_NULL, &request[0]));
    MUST(MPI_Precv_init(NULL, 3, 0, MPI_INT, left, 5, MPI_COMM_WORLD, MPI_INFO_NULL, &request[1]));
    for (round = 0; round < ROUNDS; round++) {
        MUST(MPI_Startall(2, request));
        MUST(MPI_Pready(1, request[0]));
        MUST(MPI_Test(&request[0], &flag, MPI_STATUS_IGNORE));
        EQUAL("a send with a partition to come", 0, flag);
        MUST(MPI_Pready(0, request[0]));
        MUST(MPI_Waitall(2, request, status));
        CHECK_STATUS("empty", &status[1], left, 5, MPI_INT, 0);
    }
    MUST(MPI_Request_free(&request[0]));
    MUST(MPI_Request_free(&request[1]));
}

static void nobody(void) {
    int word = 5, flag = 0, got = 6;
    MPI_Request request[2], null = MPI_REQUEST_NULL;
    MPI_Status status[2];
    MUST(MPI_Psend_init(&word, 1, 1, MPI_INT, MPI_PROC_NULL, 6, MPI_COMM_WORLD, MPI_INFO_NULL, &request[0]));
    MUST(MPI_Precv_init(&got, 1, 1, MPI_INT, MPI_PROC_NULL, 6, MPI_COMM_WORLD, MPI_INFO_NULL, &request[1]));
    MUST(MPI_Startall(2, request));
    MUST(MPI_Pready(0, request[0]));
    MUST(MPI_Parrived(request[1], 0, &flag));
    EQUAL("arrived from nobody", 1, flag);
    MUST(MPI_Waitall(2, request, status));
    EQUAL("source", MPI_PROC_NULL, status[1].MPI_SOURCE);
    EQUAL("buffer", 6, got);
    MUST(MPI_Request_free(&request[0]));
    MUST(MPI_Request_free(&request[1]));
    flag = 0;
    MUST(MPI_Parrived(null, 0, &flag));
    EQUAL("arrived of a null request", 1, flag);
}

/* Requests that are made, met and freed without ever being started leave the order of the others alone. */
static void unused(void) {
    int peer = (test_rank + 1) % test_size, left = (test_rank + test_size - 1) % test_size, x = test_rank, y = -1;
    MPI_Request request[4];
    MUST(MPI_Precv_init(&y, 1, 1, MPI_INT, left, 8, MPI_COMM_WORLD, MPI_INFO_NULL, &request[0]));
    MUST(MPI_Request_free(&request[0]));
    MUST(MPI_Barrier(MPI_COMM_WORLD));
    MUST(MPI_Psend_init(&x, 1, 1, MPI_INT, peer, 8, MPI_COMM_WORLD, MPI_INFO_NULL, &request[1]));
    MUST(MPI_Request_free(&request[1]));
    MUST(MPI_Psend_init(&x, 1, 1, MPI_INT, peer, 8, MPI_COMM_WORLD, MPI_INFO_NULL, &request[2]));
    MUST(MPI_Precv_init(&y, 1, 1, MPI_INT, left, 8, MPI_COMM_WORLD, MPI_INFO_NULL, &request[3]));
    MUST(MPI_Startall(2, request + 2));
    MUST(MPI_Pready(0, request[2]));
    MUST(MPI_Waitall(2, request + 2, MPI_STATUSES_IGNORE));
    EQUAL("value", left, y);
    MUST(MPI_Request_free(&request[2]));
    MUST(MPI_Request_free(&request[3]));
}

int main(int argc, char **argv) {
    int way;
    test_start(&argc, &argv);
    for (way = 0; way < 3; way++) {
        STEP("same partitions");
        ring(12, 4, 4, way);
        STEP("one partition");
        ring(1, 1, 1, way);
        STEP("more at the receiver");
        ring(360, 4, 90, way);
        STEP("more at the sender");
        ring(360, 120, 3, way);
        STEP("boundaries that do not meet");
        ring(60, 12, 10, way);
        STEP("larger than the rings");
        ring(1 << 20, 64, 16, way);
    }
    STEP("flow");
    flow();
    STEP("order");
    order();
    STEP("types");
    types();
    STEP("empty");
    empty();
    STEP("nobody");
    nobody();
    STEP("unused");
    unused();
    return test_finish();
}

#else

int main(int argc, char **argv) {
    test_start(&argc, &argv);
    return test_finish();
}

#endif
