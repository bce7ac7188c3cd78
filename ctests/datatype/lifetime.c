/* A datatype may be freed while it is used: by types made of it, by messages under way, and by
 * persistent requests. And commit twice, commit of predefined types, many types at once. */
#include "../test.h"

int main(int argc, char **argv) {
    enum { MANY = 5000 };
    static MPI_Datatype many[MANY];
    MPI_Datatype inner, outer;
    MPI_Request request[2];
    int i, size, round, right, left, data[12], got[12];
    test_start(&argc, &argv);
    right = (test_rank + 1) % test_size, left = (test_rank + test_size - 1) % test_size;
    STEP("freed, but part of another");
    MUST(MPI_Type_vector(2, 1, 3, MPI_INT, &inner));
    MUST(MPI_Type_contiguous(3, inner, &outer));
    MUST(MPI_Type_free(&inner));
    MUST(MPI_Type_commit(&outer));
    MUST(MPI_Type_commit(&outer));
    inner = MPI_INT;
    MUST(MPI_Type_commit(&inner));
    STEP("freed while a message is under way");
    for (i = 0; i < 12; i++) data[i] = test_rank * 100 + i, got[i] = -1;
    MUST(MPI_Irecv(got, 1, outer, left, 0, MPI_COMM_WORLD, &request[0]));
    MUST(MPI_Barrier(MPI_COMM_WORLD));
    MUST(MPI_Isend(data, 1, outer, right, 0, MPI_COMM_WORLD, &request[1]));
    MUST(MPI_Type_free(&outer));
    MUST(MPI_Waitall(2, request, MPI_STATUSES_IGNORE));
    for (i = 0; i < 12; i++) {
        int inside = i == 0 || i == 3 || i == 4 || i == 7 || i == 8 || i == 11;
        EQUAL("word", inside ? left * 100 + i : -1, got[i]);
    }
    STEP("freed while a persistent request has it");
    MUST(MPI_Type_vector(3, 1, 4, MPI_INT, &outer));
    MUST(MPI_Type_commit(&outer));
    MUST(MPI_Send_init(data, 1, outer, right, 1, MPI_COMM_WORLD, &request[0]));
    MUST(MPI_Recv_init(got, 1, outer, left, 1, MPI_COMM_WORLD, &request[1]));
    MUST(MPI_Type_free(&outer));
    for (round = 0; round < 5; round++) {
        data[8] = round;
        MUST(MPI_Startall(2, request));
        MUST(MPI_Waitall(2, request, MPI_STATUSES_IGNORE));
        EQUAL("ninth word", round, got[8]);
    }
    MUST(MPI_Request_free(&request[0]));
    MUST(MPI_Request_free(&request[1]));
    STEP("a tower");
    MUST(MPI_Type_contiguous(1, MPI_INT, &many[0]));
    for (i = 1; i < 100; i++) {
        MUST(MPI_Type_contiguous(1, many[i - 1], &many[i]));
        MUST(MPI_Type_free(&many[i - 1]));
    }
    MUST(MPI_Type_commit(&many[99]));
    MUST(MPI_Sendrecv(data, 3, many[99], right, 2, got, 3, MPI_INT, left, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    EQUAL("third", left * 100 + 2, got[2]);
    MUST(MPI_Type_free(&many[99]));
    STEP("many at once");
    for (i = 0; i < MANY; i++) {
        MUST(MPI_Type_contiguous(i + 1, MPI_CHAR, &many[i]));
        MUST(MPI_Type_commit(&many[i]));
    }
    for (i = 0; i < MANY; i += 97) {
        MUST(MPI_Type_size(many[i], &size));
        EQUAL("size", i + 1, size);
    }
    for (i = 0; i < MANY; i++) MUST(MPI_Type_free(&many[(i * 7) % MANY]));
    return test_finish();
}
