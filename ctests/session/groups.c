/* Communicators from groups: of all, of parts with overlaps, of one; from groups of two process sets; and
 * inter-communicators. Messages, collectives and duplicates on them. */
#include "../test.h"
#include "session.h"

static MPI_Session session;
static MPI_Group all;

/* The ranks `first`, `first + step` ... of everybody. */
static MPI_Group part(int first, int step) {
    int range[1][3];
    MPI_Group group;
    range[0][0] = first, range[0][1] = test_size - 1, range[0][2] = step;
    MUST(MPI_Group_range_incl(all, 1, range, &group));
    return group;
}

static void parts(void) {
    MPI_Group group = part(test_rank % 2, 2), upper, compared;
    MPI_Comm comm = MPI_COMM_NULL, copy;
    int size, rank, expected = (test_size - test_rank % 2 + 1) / 2, result, i;
    STEP("parts");
    MUST(MPI_Comm_create_from_group(group, "parts", MPI_INFO_NULL, MPI_ERRORS_RETURN, &comm));
    MUST(MPI_Comm_size(comm, &size));
    MUST(MPI_Comm_rank(comm, &rank));
    EQUAL("size of a part", expected, size);
    EQUAL("rank in a part", test_rank / 2, rank);
    session_sum("part", comm);
    MUST(MPI_Comm_group(comm, &compared));
    MUST(MPI_Group_compare(group, compared, &result));
    EQUAL("the group", MPI_IDENT, result);
    MUST(MPI_Group_free(&compared));
    MUST(MPI_Comm_dup(comm, &copy));
    session_sum("duplicate of a part", copy);
    MUST(MPI_Comm_free(&comm));
    session_sum("duplicate without its part", copy);
    MUST(MPI_Comm_free(&copy));
    MUST(MPI_Group_free(&group));
    STEP("the same tag again and again, and groups that overlap");
    for (i = 0; i < 10; i++) {
        comm = session_comm(session, "mpi://WORLD", "again");
        session_sum("again", comm);
        MUST(MPI_Comm_free(&comm));
        if (test_rank > 0) {
            upper = part(1, 1);
            MUST(MPI_Comm_create_from_group(upper, "again", MPI_INFO_NULL, MPI_ERRORS_RETURN, &comm));
            session_sum("all but one", comm);
            MUST(MPI_Comm_free(&comm));
            MUST(MPI_Group_free(&upper));
        }
    }
    STEP("reversed");
    {
        int range[1][3];
        range[0][0] = test_size - 1, range[0][1] = 0, range[0][2] = -1;
        MUST(MPI_Group_range_incl(all, 1, range, &group));
        MUST(MPI_Comm_create_from_group(group, "reversed", MPI_INFO_NULL, MPI_ERRORS_RETURN, &comm));
        MUST(MPI_Comm_rank(comm, &rank));
        EQUAL("rank when reversed", test_size - 1 - test_rank, rank);
        session_sum("reversed", comm);
        MUST(MPI_Comm_free(&comm));
        MUST(MPI_Group_free(&group));
    }
    STEP("no group");
    MUST(MPI_Comm_create_from_group(MPI_GROUP_EMPTY, "none", MPI_INFO_NULL, MPI_ERRORS_RETURN, &comm));
    CHECK(comm == MPI_COMM_NULL, "a communicator of nobody");
}

static void messages(void) {
    MPI_Comm comm = session_comm(session, "mpi://WORLD", "messages"), alone;
    int right = (test_rank + 1) % test_size, left = (test_rank + test_size - 1) % test_size, flag, *tags;
    size_t bytes = 300000;
    unsigned char *out = test_alloc(bytes), *in = test_alloc(bytes);
    MPI_Status status;
    STEP("messages");
    test_fill(out, bytes, (unsigned)test_rank);
    MUST(MPI_Sendrecv(out, (int)bytes, MPI_BYTE, right, 5, in, (int)bytes, MPI_BYTE, left, 5, comm, &status));
    CHECK_STATUS("ring", &status, left, 5, MPI_BYTE, (int)bytes);
    CHECK_FILL("ring", in, bytes, (unsigned)left);
    MUST(MPI_Comm_get_attr(comm, MPI_TAG_UB, &tags, &flag));
    CHECK(flag && *tags >= 32767, "MPI_TAG_UB on a session's communicator");
    alone = session_comm(session, "mpi://SELF", "messages");
    MUST(MPI_Sendrecv(out, 10, MPI_BYTE, 0, 1, in, 10, MPI_BYTE, 0, 1, alone, &status));
    CHECK_FILL("to oneself", in, 10, (unsigned)test_rank);
    MUST(MPI_Comm_free(&alone));
    MUST(MPI_Comm_free(&comm));
    free(out);
    free(in);
}

static void inter(void) {
    MPI_Group mine, theirs;
    MPI_Comm comm = MPI_COMM_NULL, both;
    int i, flag, remote, sum, one = 1, leader, other, size;
    if (test_size < 2) return;
    STEP("inter-communicators");
    mine = part(test_rank % 2, 2);
    theirs = part(1 - test_rank % 2, 2);
    MPI_Group_size(mine, &size);
    MPI_Group_size(theirs, &remote);
    for (i = 0; i < 3; i++) {
        leader = i % size;
        other = i % remote;
        MUST(MPI_Intercomm_create_from_groups(mine, leader, theirs, other, "inter", MPI_INFO_NULL, MPI_ERRORS_RETURN,
                                              &comm));
        MUST(MPI_Comm_test_inter(comm, &flag));
        CHECK(flag, "no inter-communicator");
        MUST(MPI_Comm_remote_size(comm, &flag));
        EQUAL("remote size", remote, flag);
        MUST(MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm));
        EQUAL("members of the other side", remote, sum);
        MUST(MPI_Intercomm_merge(comm, test_rank % 2, &both));
        session_sum("merged", both);
        MUST(MPI_Comm_free(&both));
        MUST(MPI_Comm_free(&comm));
    }
    MUST(MPI_Group_free(&mine));
    MUST(MPI_Group_free(&theirs));
}

int main(void) {
    test_watchdog(60);
    setvbuf(stdout, NULL, _IOLBF, 4096);
    MUST(MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session));
    MUST(MPI_Group_from_session_pset(session, "mpi://WORLD", &all));
    MPI_Group_rank(all, &test_rank);
    MPI_Group_size(all, &test_size);
    parts();
    messages();
    inter();
    MUST(MPI_Group_free(&all));
    MUST(MPI_Session_finalize(&session));
    return session_verdict();
}
