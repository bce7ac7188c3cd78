/* Thousands of communicators made and freed, and some hundreds alive at once: context numbers and
 * memory must be reused, and messages must not stray between them. */
#include "../test.h"

int main(int argc, char **argv) {
    enum { LOOPS = 3000, ALIVE = 300 };
    static MPI_Comm comm[ALIVE];
    int i, sum, got;
    MPI_Request request[ALIVE];
    static int values[ALIVE];
    test_deadline = 100;
    test_start(&argc, &argv);
    STEP("one after the other");
    for (i = 0; i < LOOPS; i++) {
        MPI_Comm one;
        switch (i % 3) {
            case 0: MUST(MPI_Comm_dup(MPI_COMM_WORLD, &one)); break;
            case 1: MUST(MPI_Comm_split(MPI_COMM_WORLD, 0, -test_rank, &one)); break;
            default: MUST(MPI_Comm_dup(MPI_COMM_SELF, &one)); break;
        }
        if (i % 100 == 0) {
            MUST(MPI_Allreduce(&i, &sum, 1, MPI_INT, MPI_SUM, one));
            EQUAL("sum", i % 3 == 2 ? i : i * test_size, sum);
        }
        MUST(MPI_Comm_free(&one));
        if (test_errors) break;
    }
    STEP("alive at once");
    for (i = 0; i < ALIVE; i++) MUST(MPI_Comm_dup(i ? comm[i - 1] : MPI_COMM_WORLD, &comm[i]));
    for (i = 0; i < ALIVE; i++)
        MUST(MPI_Irecv(&values[i], 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, comm[i], &request[i]));
    for (i = ALIVE - 1; i >= 0; i--) MUST(MPI_Send(&i, 1, MPI_INT, (test_rank + 1) % test_size, 1, comm[i]));
    MUST(MPI_Waitall(ALIVE, request, MPI_STATUSES_IGNORE));
    for (i = 0; i < ALIVE; i++) EQUAL("message of its communicator", i, values[i]);
    STEP("freed in another order");
    for (i = 0; i < ALIVE; i++) MUST(MPI_Comm_free(&comm[i * 7 % ALIVE]));
    MUST(MPI_Sendrecv(&test_rank, 1, MPI_INT, (test_rank + 1) % test_size, 1, &got, 1, MPI_INT, MPI_ANY_SOURCE, 1,
                      MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    EQUAL("world still works", (test_rank + test_size - 1) % test_size, got);
    return test_finish();
}
