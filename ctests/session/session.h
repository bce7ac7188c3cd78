/* For programs that use sessions: the communicator of everybody, derived from a session, and a verdict
 * that needs no MPI_COMM_WORLD. Include it after test.h. */
#ifndef CTESTS_SESSION_H
#define CTESTS_SESSION_H

/* A communicator of a process set. */
TEST_UNUSED static MPI_Comm session_comm(MPI_Session session, const char *set, const char *tag) {
    MPI_Group group = MPI_GROUP_NULL;
    MPI_Comm comm = MPI_COMM_NULL;
    MUST(MPI_Group_from_session_pset(session, set, &group));
    MUST(MPI_Comm_create_from_group(group, tag, MPI_INFO_NULL, MPI_ERRORS_RETURN, &comm));
    MUST(MPI_Group_free(&group));
    return comm;
}

/* Every rank adds its own number on `comm`. */
TEST_UNUSED static void session_sum(const char *what, MPI_Comm comm) {
    int rank = -1, size = -1, mine, sum = -1;
    MUST(MPI_Comm_rank(comm, &rank));
    MUST(MPI_Comm_size(comm, &size));
    mine = rank + 1;
    MUST(MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, comm));
    EQUAL(what, size * (size + 1) / 2, sum);
}

/* What rank 0 prints at the end, over a session of its own. */
TEST_UNUSED static int session_verdict(void) {
    MPI_Session session = MPI_SESSION_NULL;
    MPI_Comm comm;
    int total = 1;
    STEP("verdict");
    fflush(stdout);
    MUST(MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session));
    comm = session_comm(session, "mpi://WORLD", "ctests verdict");
    MPI_Comm_rank(comm, &test_rank);
    MPI_Allreduce(&test_errors, &total, 1, MPI_INT, MPI_SUM, comm);
    MPI_Comm_free(&comm);
    MPI_Session_finalize(&session);
    if (test_rank == 0) {
        if (total == 0)
            printf("No Errors\n");
        else
            printf("Found %d errors\n", total);
        fflush(stdout);
    }
    return total == 0 ? 0 : 1;
}

#endif
