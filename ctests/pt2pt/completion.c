/* Wait and test in the forms one, any, some and all, over active, null and inactive requests, with
 * and without statuses. Rank 0 receives from rank 1, which sends when it is told to. */
#include "../test.h"

enum { N = 12 };
static int value[N];
static MPI_Request request[N];
static MPI_Status status[N];
static int indices[N];

static void post(void) {
    int i;
    for (i = 0; i < N; i++) {
        value[i] = -1;
        MUST(MPI_Irecv(&value[i], 1, MPI_INT, 1, i, MPI_COMM_WORLD, &request[i]));
    }
}

/* Rank 1 sends the messages [from, to) after rank 0 has called for them. */
static void ask(int from, int to) {
    int range[2];
    range[0] = from, range[1] = to;
    MUST(MPI_Send(range, 2, MPI_INT, 1, 1000, MPI_COMM_WORLD));
}

static void serve(void) {
    int range[2], i;
    for (;;) {
        MUST(MPI_Recv(range, 2, MPI_INT, 0, 1000, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        if (range[0] < 0) return;
        for (i = range[0]; i < range[1]; i++) {
            int v = i * 11;
            MUST(MPI_Send(&v, 1, MPI_INT, 0, i, MPI_COMM_WORLD));
        }
    }
}

static void nulls(void) {
    int i, flag, index, count;
    STEP("null requests");
    for (i = 0; i < N; i++) request[i] = MPI_REQUEST_NULL;
    MUST(MPI_Wait(&request[0], &status[0]));
    CHECK_STATUS("wait", &status[0], MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_INT, 0);
    flag = 0;
    MUST(MPI_Test(&request[0], &flag, &status[0]));
    EQUAL("test flag", 1, flag);
    CHECK_STATUS("test", &status[0], MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_INT, 0);
    MUST(MPI_Waitany(N, request, &index, &status[0]));
    EQUAL("waitany index", MPI_UNDEFINED, index);
    CHECK_STATUS("waitany", &status[0], MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_INT, 0);
    flag = 0;
    MUST(MPI_Testany(N, request, &index, &flag, MPI_STATUS_IGNORE));
    EQUAL("testany index", MPI_UNDEFINED, index);
    EQUAL("testany flag", 1, flag);
    MUST(MPI_Waitsome(N, request, &count, indices, status));
    EQUAL("waitsome count", MPI_UNDEFINED, count);
    MUST(MPI_Testsome(N, request, &count, indices, status));
    EQUAL("testsome count", MPI_UNDEFINED, count);
    memset(status, 0x11, sizeof status);
    MUST(MPI_Waitall(N, request, status));
    for (i = 0; i < N; i++) CHECK_STATUS("waitall", &status[i], MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_INT, 0);
    flag = 0;
    MUST(MPI_Testall(N, request, &flag, status));
    EQUAL("testall flag", 1, flag);
    STEP("empty lists");
    MUST(MPI_Waitall(0, NULL, MPI_STATUSES_IGNORE));
    MUST(MPI_Waitany(0, NULL, &index, MPI_STATUS_IGNORE));
    EQUAL("waitany of none", MPI_UNDEFINED, index);
    MUST(MPI_Waitsome(0, NULL, &count, NULL, MPI_STATUSES_IGNORE));
    EQUAL("waitsome of none", MPI_UNDEFINED, count);
    flag = 0;
    MUST(MPI_Testall(0, NULL, &flag, MPI_STATUSES_IGNORE));
    EQUAL("testall of none", 1, flag);
}

static void any(void) {
    int i, index, flag, left;
    STEP("any");
    post();
    MUST(MPI_Testany(N, request, &index, &flag, &status[0]));
    EQUAL("nothing yet", 0, flag);
    EQUAL("index when nothing is complete", MPI_UNDEFINED, index);
    ask(7, 8);
    MUST(MPI_Waitany(N, request, &index, &status[0]));
    EQUAL("waitany", 7, index);
    CHECK_STATUS("waitany", &status[0], 1, 7, MPI_INT, 1);
    EQUAL("value", 77, value[7]);
    CHECK(request[7] == MPI_REQUEST_NULL, "waitany left the request");
    ask(0, 7);
    ask(8, N);
    for (left = N - 1; left > 0; left--) {
        if (left % 2)
            MUST(MPI_Waitany(N, request, &index, &status[0]));
        else
            do MUST(MPI_Testany(N, request, &index, &flag, &status[0]));
            while (!flag);
        if (index < 0 || index >= N) {
            CHECK(0, "index out of range: %d", index);
            break;
        }
        EQUAL("value", index * 11, value[index]);
        EQUAL("tag", index, status[0].MPI_TAG);
    }
    for (i = 0; i < N; i++) CHECK(request[i] == MPI_REQUEST_NULL, "request %d left", i);
}

static void some(void) {
    int i, k, count, done = 0, seen[N];
    STEP("some");
    memset(seen, 0, sizeof seen);
    post();
    MUST(MPI_Testsome(N, request, &count, indices, status));
    EQUAL("testsome of nothing complete", 0, count);
    ask(2, 5);
    while (done < 3) {
        MUST(MPI_Waitsome(N, request, &count, indices, status));
        CHECK(count >= 1 && count <= 3, "waitsome: count %d", count);
        if (count < 1) return;
        for (k = 0; k < count; k++) {
            i = indices[k];
            seen[i]++;
            CHECK_STATUS("waitsome", &status[k], 1, i, MPI_INT, 1);
            EQUAL("value", i * 11, value[i]);
        }
        done += count;
    }
    ask(0, 2);
    ask(5, N);
    while (done < N) {
        MUST(MPI_Testsome(N, request, &count, indices, MPI_STATUSES_IGNORE));
        for (k = 0; k < count; k++) seen[indices[k]]++;
        done += count;
    }
    for (i = 0; i < N; i++) EQUAL("completed once", 1, seen[i]);
}

/* None of the requests has ended: every kind of test says so, often, and leaves them as they are. */
static void none(const char *what) {
    MPI_Request before[N];
    int round, flag, index, count;
    STEP(what);
    memcpy(before, request, sizeof before);
    for (round = 0; round < 5000; round++) {
        flag = count = 1;
        MUST(MPI_Test(&request[3], &flag, &status[0]));
        EQUAL("test", 0, flag);
        flag = index = 1;
        MUST(MPI_Testany(N, request, &index, &flag, &status[0]));
        EQUAL("testany", 0, flag);
        EQUAL("index of testany", MPI_UNDEFINED, index);
        MUST(MPI_Testsome(N, request, &count, indices, status));
        EQUAL("testsome", 0, count);
        flag = 1;
        MUST(MPI_Testall(N, request, &flag, status));
        EQUAL("testall", 0, flag);
    }
    CHECK(memcmp(before, request, sizeof before) == 0, "a test without success changed a request");
}

static void all(void) {
    int i, flag;
    STEP("all");
    post();
    ask(0, N - 1);
    MUST(MPI_Testall(N, request, &flag, status));
    EQUAL("testall while one is open", 0, flag);
    for (i = 0; i < N; i++) CHECK(request[i] != MPI_REQUEST_NULL, "testall without success took request %d", i);
    ask(N - 1, N);
    do MUST(MPI_Testall(N, request, &flag, status));
    while (!flag);
    for (i = 0; i < N; i++) {
        CHECK_STATUS("testall", &status[i], 1, i, MPI_INT, 1);
        EQUAL("value", i * 11, value[i]);
        CHECK(request[i] == MPI_REQUEST_NULL, "testall left request %d", i);
    }
    post();
    ask(0, N);
    MUST(MPI_Waitall(N, request, MPI_STATUSES_IGNORE));
    for (i = 0; i < N; i++) EQUAL("value", i * 11, value[i]);
    /* Null and inactive ones between active ones. */
    STEP("mixed");
    for (i = 0; i < N; i++) request[i] = MPI_REQUEST_NULL, value[i] = -1;
    MUST(MPI_Irecv(&value[3], 1, MPI_INT, 1, 3, MPI_COMM_WORLD, &request[3]));
    none("a receive among null requests");
    MUST(MPI_Recv_init(&value[5], 1, MPI_INT, 1, 5, MPI_COMM_WORLD, &request[5]));
    MUST(MPI_Recv_init(&value[8], 1, MPI_INT, 1, 8, MPI_COMM_WORLD, &request[8]));
    MUST(MPI_Start(&request[8]));
    none("a receive among persistent and null requests");
    ask(3, 4);
    ask(8, 9);
    MUST(MPI_Waitall(N, request, status));
    for (i = 0; i < N; i++)
        if (i == 3 || i == 8)
            CHECK_STATUS("mixed", &status[i], 1, i, MPI_INT, 1);
        else
            CHECK_STATUS("mixed, empty", &status[i], MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_INT, 0);
    EQUAL("value 8", 88, value[8]);
    CHECK(request[5] != MPI_REQUEST_NULL && request[8] != MPI_REQUEST_NULL, "persistent requests became null");
    MUST(MPI_Request_free(&request[5]));
    MUST(MPI_Request_free(&request[8]));
}

static void get_status(void) {
    int flag, i;
    STEP("request_get_status");
    MUST(MPI_Request_get_status(MPI_REQUEST_NULL, &flag, &status[0]));
    EQUAL("null", 1, flag);
    CHECK_STATUS("null", &status[0], MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_INT, 0);
    post();
    MUST(MPI_Request_get_status(request[4], &flag, &status[0]));
    EQUAL("open", 0, flag);
    ask(0, N);
    do MUST(MPI_Request_get_status(request[4], &flag, &status[0]));
    while (!flag);
    CHECK_STATUS("complete", &status[0], 1, 4, MPI_INT, 1);
    EQUAL("value", 44, value[4]);
    MUST(MPI_Request_get_status(request[4], &flag, MPI_STATUS_IGNORE));
    EQUAL("still there", 1, flag);
    for (i = 0; i < N; i++) {
        MUST(MPI_Wait(&request[i], &status[0]));
        CHECK_STATUS("wait after get_status", &status[0], 1, i, MPI_INT, 1);
    }
}

static void released(void) {
    int i;
    STEP("request_free of active sends");
    for (i = 0; i < N; i++) {
        value[i] = i * 5;
        MUST(MPI_Isend(&value[i], 1, MPI_INT, 0, 500 + i, MPI_COMM_WORLD, &request[i]));
        MUST(MPI_Request_free(&request[i]));
        CHECK(request[i] == MPI_REQUEST_NULL, "request_free left the handle");
    }
    for (i = N - 1; i >= 0; i--) {
        int got = -1;
        MUST(MPI_Recv(&got, 1, MPI_INT, 0, 500 + i, MPI_COMM_WORLD, &status[0]));
        EQUAL("value", i * 5, got);
    }
    STEP("request_free of an active receive");
    value[0] = -1;
    MUST(MPI_Irecv(&value[0], 1, MPI_INT, 1, 600, MPI_COMM_WORLD, &request[0]));
    MUST(MPI_Request_free(&request[0]));
    ask(600, 601);
    ask(0, 1);
    MUST(MPI_Recv(&value[1], 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    EQUAL("received without a handle", 6600, value[0]);
}

int main(int argc, char **argv) {
    test_start(&argc, &argv);
    if (test_rank == 0) {
        nulls();
        any();
        some();
        all();
        get_status();
        released();
        ask(-1, -1);
    } else if (test_rank == 1) {
        serve();
    }
    return test_finish();
}
