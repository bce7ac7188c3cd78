/* Runs a test body on several communicators: the world, a duplicate, the world with its ranks
 * reversed, its odd and even halves, and each rank alone. Include after test.h. */
#ifndef CTESTS_COLL_COMMS_H
#define CTESTS_COLL_COMMS_H

static int rank, size;

static void on_comms(void (*body)(MPI_Comm comm)) {
    static const char *const names[] = {"world", "dup", "reversed", "halves", "self"};
    int which;
    for (which = 0; which < 5; which++) {
        MPI_Comm comm = MPI_COMM_WORLD;
        switch (which) {
            case 1: MUST(MPI_Comm_dup(MPI_COMM_WORLD, &comm)); break;
            case 2: MUST(MPI_Comm_split(MPI_COMM_WORLD, 0, test_size - test_rank, &comm)); break;
            case 3: MUST(MPI_Comm_split(MPI_COMM_WORLD, test_rank % 2, test_rank, &comm)); break;
            case 4: comm = MPI_COMM_SELF; break;
        }
        MUST(MPI_Comm_rank(comm, &rank));
        MUST(MPI_Comm_size(comm, &size));
        STEP(names[which]);
        body(comm);
        if (which >= 1 && which <= 3) MUST(MPI_Comm_free(&comm));
    }
}

#endif
