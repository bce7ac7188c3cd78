/* Probe, Iprobe, Mprobe, Improbe, Mrecv, Imrecv: a probe sees what the next receive would get, a
 * matched message is out of reach of every other receive, and MPI_MESSAGE_NO_PROC for PROC_NULL. */
#include "../test.h"

static void plain(void) {
    int i, flag, value;
    MPI_Status status;
    STEP("probe");
    if (test_rank == 0) {
        int data[50];
        for (i = 0; i < 50; i++) data[i] = i;
        for (i = 1; i <= 50; i++) MUST(MPI_Send(data, i, MPI_INT, 1, i, MPI_COMM_WORLD));
    } else if (test_rank == 1) {
        int data[50];
        MUST(MPI_Probe(0, 50, MPI_COMM_WORLD, &status));
        CHECK_STATUS("probe of the last", &status, 0, 50, MPI_INT, 50);
        for (i = 1; i <= 50; i++) {
            MUST(MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status));
            CHECK_STATUS("probe any", &status, 0, i, MPI_INT, i);
            MUST(MPI_Iprobe(0, i, MPI_COMM_WORLD, &flag, &status));
            EQUAL("iprobe flag", 1, flag);
            CHECK_STATUS("iprobe", &status, 0, i, MPI_INT, i);
            MUST(MPI_Recv(data, 50, MPI_INT, status.MPI_SOURCE, status.MPI_TAG, MPI_COMM_WORLD, &status));
            EQUAL("last value", i - 1, data[i - 1]);
        }
        MUST(MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE));
        EQUAL("nothing is left", 0, flag);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    STEP("iprobe makes progress");
    if (test_rank == 0) MUST(MPI_Send(&test_rank, 1, MPI_INT, 1, 3, MPI_COMM_WORLD));
    if (test_rank == 1) {
        do MUST(MPI_Iprobe(0, 3, MPI_COMM_WORLD, &flag, &status));
        while (!flag);
        MUST(MPI_Recv(&value, 1, MPI_INT, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

static void matched(size_t bytes) {
    unsigned char *a = test_alloc(bytes), *b = test_alloc(bytes);
    MPI_Message message;
    MPI_Status status;
    MPI_Request request;
    int flag;
    STEP("matched probe");
    if (test_rank == 0) {
        MPI_Request both[2];
        test_fill(a, bytes, 1);
        test_fill(b, bytes, 2);
        MUST(MPI_Isend(a, (int)bytes, MPI_BYTE, 1, 5, MPI_COMM_WORLD, &both[0]));
        MUST(MPI_Isend(b, (int)bytes, MPI_BYTE, 1, 5, MPI_COMM_WORLD, &both[1]));
        MUST(MPI_Waitall(2, both, MPI_STATUSES_IGNORE));
        MUST(MPI_Send(a, (int)bytes, MPI_BYTE, 1, 6, MPI_COMM_WORLD));
    } else if (test_rank == 1) {
        /* The first message is taken out by mprobe; an ordinary receive must get the second. */
        MUST(MPI_Mprobe(0, MPI_ANY_TAG, MPI_COMM_WORLD, &message, &status));
        CHECK_STATUS("mprobe", &status, 0, 5, MPI_BYTE, (int)bytes);
        CHECK(message != MPI_MESSAGE_NULL && message != MPI_MESSAGE_NO_PROC, "mprobe gave a null message");
        MUST(MPI_Recv(b, (int)bytes, MPI_BYTE, 0, 5, MPI_COMM_WORLD, &status));
        CHECK_FILL("second", b, bytes, 2);
        MUST(MPI_Mrecv(a, (int)bytes, MPI_BYTE, &message, &status));
        CHECK_STATUS("mrecv", &status, 0, 5, MPI_BYTE, (int)bytes);
        CHECK_FILL("first", a, bytes, 1);
        CHECK(message == MPI_MESSAGE_NULL, "mrecv left the message handle");
        do MUST(MPI_Improbe(MPI_ANY_SOURCE, 6, MPI_COMM_WORLD, &flag, &message, &status));
        while (!flag);
        CHECK_STATUS("improbe", &status, 0, 6, MPI_BYTE, (int)bytes);
        memset(a, 0, bytes);
        MUST(MPI_Imrecv(a, (int)bytes, MPI_BYTE, &message, &request));
        CHECK(message == MPI_MESSAGE_NULL, "imrecv left the message handle");
        MUST(MPI_Wait(&request, &status));
        CHECK_STATUS("imrecv", &status, 0, 6, MPI_BYTE, (int)bytes);
        CHECK_FILL("imrecv", a, bytes, 1);
    }
    free(a);
    free(b);
    MPI_Barrier(MPI_COMM_WORLD);
}

static void several(void) {
    enum { MANY = 60 };
    MPI_Message message[MANY];
    MPI_Request request[MANY];
    int i, value[MANY];
    STEP("many matched messages, taken backwards");
    if (test_rank == 0)
        for (i = 0; i < MANY; i++) MUST(MPI_Send(&i, 1, MPI_INT, 1, i % 3, MPI_COMM_WORLD));
    if (test_rank == 1) {
        for (i = 0; i < MANY; i++) MUST(MPI_Mprobe(0, MPI_ANY_TAG, MPI_COMM_WORLD, &message[i], MPI_STATUS_IGNORE));
        for (i = MANY - 1; i >= 0; i--) MUST(MPI_Imrecv(&value[i], 1, MPI_INT, &message[i], &request[i]));
        MUST(MPI_Waitall(MANY, request, MPI_STATUSES_IGNORE));
        for (i = 0; i < MANY; i++) EQUAL("matched value", i, value[i]);
    }
}

static void no_proc(void) {
    MPI_Message message;
    MPI_Status status;
    MPI_Request request;
    int flag = 0, value = 7;
    STEP("MPI_PROC_NULL");
    MUST(MPI_Probe(MPI_PROC_NULL, 3, MPI_COMM_WORLD, &status));
    CHECK_STATUS("probe", &status, MPI_PROC_NULL, MPI_ANY_TAG, MPI_INT, 0);
    MUST(MPI_Iprobe(MPI_PROC_NULL, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, &status));
    EQUAL("iprobe flag", 1, flag);
    CHECK_STATUS("iprobe", &status, MPI_PROC_NULL, MPI_ANY_TAG, MPI_INT, 0);
    MUST(MPI_Mprobe(MPI_PROC_NULL, 3, MPI_COMM_WORLD, &message, &status));
    CHECK(message == MPI_MESSAGE_NO_PROC, "mprobe of PROC_NULL is not MPI_MESSAGE_NO_PROC");
    CHECK_STATUS("mprobe", &status, MPI_PROC_NULL, MPI_ANY_TAG, MPI_INT, 0);
    MUST(MPI_Mrecv(&value, 1, MPI_INT, &message, &status));
    CHECK_STATUS("mrecv", &status, MPI_PROC_NULL, MPI_ANY_TAG, MPI_INT, 0);
    CHECK(message == MPI_MESSAGE_NULL, "mrecv left the handle");
    flag = 0;
    MUST(MPI_Improbe(MPI_PROC_NULL, 3, MPI_COMM_WORLD, &flag, &message, &status));
    EQUAL("improbe flag", 1, flag);
    MUST(MPI_Imrecv(&value, 1, MPI_INT, &message, &request));
    MUST(MPI_Wait(&request, &status));
    CHECK_STATUS("imrecv", &status, MPI_PROC_NULL, MPI_ANY_TAG, MPI_INT, 0);
    EQUAL("buffer untouched", 7, value);
}

int main(int argc, char **argv) {
    test_start(&argc, &argv);
    plain();
    matched(8);
    matched(5000);
    matched(400000);
    several();
    no_proc();
    return test_finish();
}
