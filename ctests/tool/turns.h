/* For tests that count this process's own messages: each rank has its turn while the others send nothing. */
#ifndef CTESTS_TOOL_TURNS_H
#define CTESTS_TOOL_TURNS_H

enum { TURN = 90, LAST = 91 };

/* Waits for this rank's turn. */
TEST_UNUSED static void turn_begins(void) {
    if (test_rank > 0) MUST(MPI_Recv(NULL, 0, MPI_INT, test_rank - 1, TURN, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
}

/* Lets the next rank have its turn, and waits until all have had theirs. */
TEST_UNUSED static void turn_ends(void) {
    int i, last = test_size - 1;
    if (test_rank < last) {
        MUST(MPI_Send(NULL, 0, MPI_INT, test_rank + 1, TURN, MPI_COMM_WORLD));
        MUST(MPI_Recv(NULL, 0, MPI_INT, last, LAST, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    } else {
        for (i = 0; i < last; i++) MUST(MPI_Send(NULL, 0, MPI_INT, i, LAST, MPI_COMM_WORLD));
    }
}

#endif
