/* Wildcards and MPI's ordering: messages of one sender that match one receive arrive in the order
 * sent, whatever mix of wildcards receives them, and receives match in the order posted. */
#include "../test.h"

enum { MANY = 500 };

/* All ranks send numbered messages with several tags; rank 0 takes them by ANY_SOURCE/ANY_TAG. */
static void any_any(void) {
    int value[3], tag, i, from;
    STEP("any source, any tag");
    if (test_rank != 0) {
        for (i = 0; i < MANY; i++) {
            value[0] = test_rank, value[1] = i, value[2] = i % 7;
            MUST(MPI_Send(value, 3, MPI_INT, 0, i % 7, MPI_COMM_WORLD));
        }
    } else {
        int *next = calloc((size_t)test_size, sizeof(int));
        for (i = 0; i < MANY * (test_size - 1); i++) {
            MPI_Status status;
            MUST(MPI_Recv(value, 3, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status));
            from = status.MPI_SOURCE, tag = status.MPI_TAG;
            CHECK_STATUS("any", &status, value[0], value[2], MPI_INT, 3);
            if (from <= 0 || from >= test_size) continue;
            EQUAL("number in order", next[from], value[1]);
            EQUAL("tag in order", next[from] % 7, tag);
            next[from]++;
        }
        for (from = 1; from < test_size; from++) EQUAL("all arrived", MANY, next[from]);
        free(next);
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

/* One sender, many tags, taken in reverse tag order; then per tag in order with ANY_SOURCE. */
static void reverse_tags(void) {
    int i, value = -1;
    MPI_Status status;
    STEP("reverse order of tags");
    if (test_rank == 1)
        for (i = 0; i < 2 * MANY; i++) MUST(MPI_Send(&i, 1, MPI_INT, 0, i / 2, MPI_COMM_WORLD));
    if (test_rank == 0)
        for (i = MANY - 1; i >= 0; i--) {
            MUST(MPI_Recv(&value, 1, MPI_INT, 1, i, MPI_COMM_WORLD, &status));
            EQUAL("first of a tag", 2 * i, value);
            MUST(MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, i, MPI_COMM_WORLD, &status));
            EQUAL("second of a tag", 2 * i + 1, value);
            CHECK_STATUS("reverse", &status, 1, i, MPI_INT, 1);
        }
    MPI_Barrier(MPI_COMM_WORLD);
}

/* Receives are posted before anything is sent, wildcards between exact ones: the first posted that
 * matches must win, although exact receives and wildcards may live in different queues. */
static void posted_order(void) {
    int got[6], i, value, expect[6] = {100, 101, 102, 103, 104, 105};
    MPI_Request request[6];
    STEP("posted order");
    if (test_rank == 0) {
        memset(got, -1, sizeof got);
        MUST(MPI_Irecv(&got[0], 1, MPI_INT, MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, &request[0]));
        MUST(MPI_Irecv(&got[1], 1, MPI_INT, 1, 5, MPI_COMM_WORLD, &request[1]));
        MUST(MPI_Irecv(&got[2], 1, MPI_INT, 1, MPI_ANY_TAG, MPI_COMM_WORLD, &request[2]));
        MUST(MPI_Irecv(&got[3], 1, MPI_INT, 1, 5, MPI_COMM_WORLD, &request[3]));
        MUST(MPI_Irecv(&got[4], 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &request[4]));
        MUST(MPI_Irecv(&got[5], 1, MPI_INT, 1, 6, MPI_COMM_WORLD, &request[5]));
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (test_rank == 1) {
        int tags[6] = {5, 5, 5, 5, 6, 6};
        for (i = 0; i < 6; i++) {
            value = 100 + i;
            MUST(MPI_Send(&value, 1, MPI_INT, 0, tags[i], MPI_COMM_WORLD));
        }
    }
    if (test_rank == 0) {
        MUST(MPI_Waitall(6, request, MPI_STATUSES_IGNORE));
        for (i = 0; i < 6; i++) EQUAL("receive in posted order", expect[i], got[i]);
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

/* Small after large: the small one is ready first, but must not overtake. */
static void small_after_large(void) {
    enum { LARGE = 300000, ROUNDS = 20 };
    int *large = test_alloc(LARGE * sizeof(int)), i, k, count;
    MPI_Status status;
    STEP("small after large");
    for (i = 0; i < ROUNDS; i++) {
        if (test_rank == 1) {
            MPI_Request request[3];
            for (k = 0; k < LARGE; k++) large[k] = i;
            MUST(MPI_Isend(large, LARGE, MPI_INT, 0, 3, MPI_COMM_WORLD, &request[0]));
            MUST(MPI_Isend(large, 1, MPI_INT, 0, 3, MPI_COMM_WORLD, &request[1]));
            MUST(MPI_Isend(large, 20000, MPI_INT, 0, 3, MPI_COMM_WORLD, &request[2]));
            MUST(MPI_Waitall(3, request, MPI_STATUSES_IGNORE));
        }
        if (test_rank == 0) {
            int expect[3] = {LARGE, 1, 20000};
            for (k = 0; k < 3; k++) {
                large[0] = large[LARGE - 1] = -1;
                MUST(MPI_Recv(large, LARGE, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status));
                MUST(MPI_Get_count(&status, MPI_INT, &count));
                EQUAL("length in order", expect[k], count);
                EQUAL("first value", i, large[0]);
                if (k == 0) EQUAL("last value", i, large[LARGE - 1]);
            }
        }
    }
    free(large);
    MPI_Barrier(MPI_COMM_WORLD);
}

/* Same tag and source on three communicators: contexts must keep them apart. */
static void contexts(void) {
    MPI_Comm other[2];
    int value, i;
    STEP("communicators are separate");
    MUST(MPI_Comm_dup(MPI_COMM_WORLD, &other[0]));
    MUST(MPI_Comm_dup(other[0], &other[1]));
    if (test_rank == 1) {
        value = 1, MUST(MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD));
        value = 2, MUST(MPI_Send(&value, 1, MPI_INT, 0, 0, other[0]));
        value = 3, MUST(MPI_Send(&value, 1, MPI_INT, 0, 0, other[1]));
    }
    if (test_rank == 0)
        for (i = 3; i >= 1; i--) {
            MPI_Comm comm = i == 1 ? MPI_COMM_WORLD : other[i - 2];
            MUST(MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, MPI_STATUS_IGNORE));
            EQUAL("message of its communicator", i, value);
        }
    MUST(MPI_Comm_free(&other[0]));
    MUST(MPI_Comm_free(&other[1]));
}

/* The largest tag that the library promises must travel unchanged. */
static void largest_tag(void) {
    void *value;
    int flag, one = 1;
    MPI_Status status;
    STEP("largest tag");
    MUST(MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &value, &flag));
    CHECK(flag && *(int *)value >= 32767, "MPI_TAG_UB missing or below 32767");
    if (!flag) return;
    if (test_rank == 1) MUST(MPI_Send(&one, 1, MPI_INT, 0, *(int *)value, MPI_COMM_WORLD));
    if (test_rank == 0) {
        MUST(MPI_Recv(&one, 1, MPI_INT, 1, MPI_ANY_TAG, MPI_COMM_WORLD, &status));
        EQUAL("tag", *(int *)value, status.MPI_TAG);
    }
}

int main(int argc, char **argv) {
    test_start(&argc, &argv);
    any_any();
    reverse_tags();
    posted_order();
    small_after_large();
    contexts();
    largest_tag();
    return test_finish();
}
