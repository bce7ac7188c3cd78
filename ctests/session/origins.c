/* Objects of different sessions, or of a session and of the world model, in one call are an error, and nothing
 * happens to them. Communicators of sessions have MPI_TAG_UB and no other predefined attribute. */
#include "../test.h"
#include "session.h"
#include "../errors/quiet.h"

static MPI_Comm of[3]; /* of two sessions, and of the world model */
static MPI_Group group[3];

static void pair(int a, int b) {
    MPI_Comm comm = MPI_COMM_NULL;
    MPI_Group made = MPI_GROUP_NULL;
    int result, zero = 0, rank;
    FAILS(MPI_ERR_SESSION, MPI_Comm_compare(of[a], of[b], &result));
    FAILS(MPI_ERR_SESSION, MPI_Comm_create(of[a], group[b], &comm));
    FAILS(MPI_ERR_SESSION, MPI_Comm_create_group(of[a], group[b], 0, &comm));
    FAILS(MPI_ERR_SESSION, MPI_Intercomm_create(of[a], 0, of[b], 0, 0, &comm));
    FAILS(MPI_ERR_SESSION, MPI_Intercomm_create_from_groups(group[a], 0, group[b], 0, "bad", MPI_INFO_NULL,
                                                            MPI_ERRORS_RETURN, &comm));
    FAILS(MPI_ERR_SESSION, MPI_Group_compare(group[a], group[b], &result));
    FAILS(MPI_ERR_SESSION, MPI_Group_union(group[a], group[b], &made));
    FAILS(MPI_ERR_SESSION, MPI_Group_intersection(group[a], group[b], &made));
    FAILS(MPI_ERR_SESSION, MPI_Group_difference(group[a], group[b], &made));
    FAILS(MPI_ERR_SESSION, MPI_Group_translate_ranks(group[a], 1, &zero, group[b], &rank));
}

/* One receive on each of the two. */
static void post(int a, int b, int *words, MPI_Request *requests) {
    MUST(MPI_Irecv(&words[0], 1, MPI_INT, 0, 1, of[a], &requests[0]));
    requests[1] = MPI_REQUEST_NULL;
    MUST(MPI_Irecv(&words[1], 1, MPI_INT, 0, 1, of[b], &requests[2]));
}

static void requests(int a, int b) {
    MPI_Request all[3], persistent[2];
    MPI_Status status, statuses[3];
    int words[2] = {0, 0}, sent[2] = {5, 6}, indices[3], n, flag;
    post(a, b, words, all);
    FAILS(MPI_ERR_SESSION, MPI_Waitall(3, all, statuses));
    FAILS(MPI_ERR_SESSION, MPI_Waitall(3, all, MPI_STATUSES_IGNORE));
    FAILS(MPI_ERR_SESSION, MPI_Waitany(3, all, &n, &status));
    FAILS(MPI_ERR_SESSION, MPI_Waitsome(3, all, &n, indices, statuses));
    FAILS(MPI_ERR_SESSION, MPI_Testall(3, all, &flag, statuses));
    FAILS(MPI_ERR_SESSION, MPI_Testany(3, all, &n, &flag, &status));
    FAILS(MPI_ERR_SESSION, MPI_Testsome(3, all, &n, indices, statuses));
#if MPI_VERSION >= 5
    FAILS(MPI_ERR_SESSION, MPI_Request_get_status_all(3, all, &flag, statuses));
    FAILS(MPI_ERR_SESSION, MPI_Request_get_status_any(3, all, &n, &flag, &status));
    FAILS(MPI_ERR_SESSION, MPI_Request_get_status_some(3, all, &n, indices, statuses));
#endif
    MUST(MPI_Send(&sent[0], 1, MPI_INT, 0, 1, of[a]));
    MUST(MPI_Send(&sent[1], 1, MPI_INT, 0, 1, of[b]));
    MUST(MPI_Waitall(2, all, MPI_STATUSES_IGNORE));
    MUST(MPI_Wait(&all[2], MPI_STATUS_IGNORE));
    EQUAL("received on one", 5, words[0]);
    EQUAL("received on the other", 6, words[1]);
    MUST(MPI_Recv_init(&words[0], 1, MPI_INT, 0, 1, of[a], &persistent[0]));
    MUST(MPI_Recv_init(&words[1], 1, MPI_INT, 0, 1, of[b], &persistent[1]));
    FAILS(MPI_ERR_SESSION, MPI_Startall(2, persistent));
    MUST(MPI_Request_free(&persistent[0]));
    MUST(MPI_Request_free(&persistent[1]));
}

static void attributes(const char *what, MPI_Comm comm, int world) {
    static const int keys[] = {MPI_IO, MPI_WTIME_IS_GLOBAL, MPI_LASTUSEDCODE};
    int *value = NULL, flag = 0, i;
    MUST(MPI_Comm_get_attr(comm, MPI_TAG_UB, &value, &flag));
    CHECK(flag && *value >= 32767, "%s: no MPI_TAG_UB", what);
    for (i = 0; i < 3; i++) {
        flag = -1;
        MUST(MPI_Comm_get_attr(comm, keys[i], &value, &flag));
        CHECK(flag == world, "%s: attribute %d is %sfound", what, i, flag ? "" : "not ");
    }
    if (world) return;
    MUST(MPI_Comm_get_attr(comm, MPI_UNIVERSE_SIZE, &value, &flag));
    CHECK(!flag, "%s: MPI_UNIVERSE_SIZE is found", what);
    MUST(MPI_Comm_get_attr(comm, MPI_APPNUM, &value, &flag));
    CHECK(!flag, "%s: MPI_APPNUM is found", what);
}

int main(int argc, char **argv) {
    MPI_Session session[2];
    MPI_Comm copy;
    MPI_Group empty;
    int a, b, i, result;
    test_start(&argc, &argv);
    errors_return();
    for (i = 0; i < 2; i++) {
        MUST(MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session[i]));
        of[i] = session_comm(session[i], "mpi://SELF", "origins");
        MUST(MPI_Comm_group(of[i], &group[i]));
    }
    of[2] = MPI_COMM_SELF;
    MUST(MPI_Comm_group(of[2], &group[2]));
    for (a = 0; a < 3; a++)
        for (b = 0; b < 3; b++) {
            if (a == b) continue;
            STEP("communicators and groups");
            pair(a, b);
            STEP("requests");
            requests(a, b);
        }
    STEP("one session");
    for (a = 0; a < 3; a++) {
        MUST(MPI_Comm_dup(of[a], &copy));
        MUST(MPI_Comm_compare(of[a], copy, &result));
        EQUAL("a duplicate", MPI_CONGRUENT, result);
        MUST(MPI_Group_difference(group[a], group[a], &empty));
        MUST(MPI_Group_union(group[a], MPI_GROUP_EMPTY, &empty));
        MUST(MPI_Group_free(&empty));
        MUST(MPI_Group_union(MPI_GROUP_EMPTY, group[a], &empty));
        MUST(MPI_Group_compare(empty, group[a], &result));
        EQUAL("a union with the empty group", MPI_IDENT, result);
        MUST(MPI_Group_free(&empty));
        attributes("a duplicate", copy, a == 2);
        attributes("an original", of[a], a == 2);
        MUST(MPI_Comm_free(&copy));
    }
    attributes("MPI_COMM_WORLD", MPI_COMM_WORLD, 1);
    for (i = 0; i < 2; i++) {
        MUST(MPI_Comm_free(&of[i]));
        MUST(MPI_Group_free(&group[i]));
        MUST(MPI_Session_finalize(&session[i]));
    }
    MUST(MPI_Group_free(&group[2]));
    return test_finish();
}
