/* Error handlers of sessions, the handler that MPI_Session_init and MPI_Comm_create_from_group get, and bad
 * arguments: null and finalised sessions, unknown sets, numbers out of range, groups without the caller. */
#include "../test.h"
#include "session.h"
#include "../errors/quiet.h"

#ifndef MPI_ERR_ERRHANDLER
#define MPI_ERR_ERRHANDLER MPI_ERR_ARG
#endif

static int calls, last_class, comm_calls;
static MPI_Session last;

static void handler(MPI_Session *session, int *code, ...) {
    calls++;
    last = *session;
    MPI_Error_class(*code, &last_class);
}

static void comm_handler(MPI_Comm *comm, int *code, ...) {
    (void)comm;
    comm_calls++;
    MPI_Error_class(*code, &last_class);
}

static void bad_session(MPI_Session session) {
    MPI_Errhandler handler_ = MPI_ERRORS_RETURN;
    MPI_Group group = MPI_GROUP_NULL;
    MPI_Info info = MPI_INFO_NULL;
    MPI_Session copy = session;
    char name[20];
    int n = 20;
    FAILS(MPI_ERR_SESSION, MPI_Session_get_num_psets(session, MPI_INFO_NULL, &n));
    FAILS(MPI_ERR_SESSION, MPI_Session_get_nth_pset(session, MPI_INFO_NULL, 0, &n, name));
    FAILS(MPI_ERR_SESSION, MPI_Session_get_info(session, &info));
    FAILS(MPI_ERR_SESSION, MPI_Session_get_pset_info(session, "mpi://SELF", &info));
    FAILS(MPI_ERR_SESSION, MPI_Group_from_session_pset(session, "mpi://SELF", &group));
    FAILS(MPI_ERR_SESSION, MPI_Session_call_errhandler(session, MPI_ERR_OTHER));
    FAILS(MPI_ERR_SESSION, MPI_Session_get_errhandler(session, &handler_));
    FAILS(MPI_ERR_SESSION, MPI_Session_set_errhandler(session, MPI_ERRORS_RETURN));
    FAILS(MPI_ERR_SESSION, MPI_Session_finalize(&copy));
#if MPI_VERSION >= 5
    FAILS(MPI_ERR_SESSION, MPI_Session_attach_buffer(session, name, 20));
    FAILS(MPI_ERR_SESSION, MPI_Session_detach_buffer(session, &info, &n));
    FAILS(MPI_ERR_SESSION, MPI_Session_flush_buffer(session));
    {
        MPI_Request request = MPI_REQUEST_NULL;
        FAILS(MPI_ERR_SESSION, MPI_Session_iflush_buffer(session, &request));
    }
#endif
}

int main(int argc, char **argv) {
    MPI_Session session = MPI_SESSION_NULL, stale;
    MPI_Errhandler mine, got, of_comm;
    MPI_Group group = MPI_GROUP_NULL, world;
    MPI_Info info;
    MPI_Comm comm = MPI_COMM_NULL;
    int n = -1;
    char name[64], longest[3000];
    test_start(&argc, &argv);
    errors_return();
    STEP("null and stale sessions");
    bad_session(MPI_SESSION_NULL);
    MUST(MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session));
    stale = session;
    MUST(MPI_Session_finalize(&session));
    bad_session(stale);
    bad_session(MPI_SESSION_NULL);
    STEP("a handler of mine");
    MUST(MPI_Session_create_errhandler(handler, &mine));
    MUST(MPI_Comm_create_errhandler(comm_handler, &of_comm));
    MUST(MPI_Session_init(MPI_INFO_NULL, mine, &session));
    EQUAL("calls", 0, calls);
    CHECK(MPI_Group_from_session_pset(session, "mpi://NOWHERE", &group) != MPI_SUCCESS, "a group of no set");
    EQUAL("calls", 1, calls);
    EQUAL("class", MPI_ERR_ARG, last_class);
    CHECK(last == session, "the handler got another session");
    CHECK(group == MPI_GROUP_NULL, "a group of no set");
    MPI_Session_call_errhandler(session, MPI_ERR_TRUNCATE);
    EQUAL("calls", 2, calls);
    EQUAL("class", MPI_ERR_TRUNCATE, last_class);
    MUST(MPI_Session_get_errhandler(session, &got));
    CHECK(got == mine, "another handler than the one given");
    MUST(MPI_Errhandler_free(&got));
    MUST(MPI_Errhandler_free(&mine));
    MPI_Session_call_errhandler(session, MPI_ERR_OTHER);
    EQUAL("freed but attached", 3, calls);
    MUST(MPI_Session_set_errhandler(session, MPI_ERRORS_RETURN));
    MPI_Session_call_errhandler(session, MPI_ERR_OTHER);
    EQUAL("calls", 3, calls);
    FAILS(MPI_ERR_ERRHANDLER, MPI_Session_set_errhandler(session, of_comm));
    FAILS(MPI_ERR_ERRHANDLER, MPI_Session_set_errhandler(session, MPI_ERRHANDLER_NULL));
    STEP("errors of MPI_Session_init");
    MUST(MPI_Info_create(&info));
    MUST(MPI_Info_set(info, "thread_level", "MPI_THREAD_OF_ARIADNE"));
    MUST(MPI_Session_create_errhandler(handler, &mine));
    stale = session;
    FAILS(MPI_ERR_INFO_VALUE, MPI_Session_init(info, mine, &stale));
    EQUAL("calls", 4, calls);
    EQUAL("class", MPI_ERR_INFO_VALUE, last_class);
    CHECK(last == MPI_SESSION_NULL && stale == MPI_SESSION_NULL, "a session that failed");
    MUST(MPI_Info_free(&info));
    FAILS(MPI_ERR_ERRHANDLER, MPI_Session_init(MPI_INFO_NULL, of_comm, &stale));
    FAILS(MPI_ERR_ARG, MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, NULL));
    STEP("numbers and names");
    n = 64;
    FAILS(MPI_ERR_ARG, MPI_Session_get_nth_pset(session, MPI_INFO_NULL, -1, &n, name));
    FAILS(MPI_ERR_ARG, MPI_Session_get_nth_pset(session, MPI_INFO_NULL, 9999, &n, name));
    FAILS(MPI_ERR_ARG, MPI_Session_get_nth_pset(session, MPI_INFO_NULL, 0, &n, NULL));
    n = -1;
    FAILS(MPI_ERR_ARG, MPI_Session_get_nth_pset(session, MPI_INFO_NULL, 0, &n, name));
    FAILS(MPI_ERR_ARG, MPI_Session_get_pset_info(session, "mpi://", &info));
    FAILS(MPI_ERR_ARG, MPI_Session_get_num_psets(session, MPI_INFO_NULL, NULL));
    STEP("communicators that cannot be");
    MUST(MPI_Group_from_session_pset(session, "mpi://WORLD", &world));
    memset(longest, 'a', sizeof longest - 1);
    longest[sizeof longest - 1] = 0;
    FAILS(MPI_ERR_GROUP, MPI_Comm_create_from_group(MPI_GROUP_NULL, "bad", MPI_INFO_NULL, of_comm, &comm));
    EQUAL("calls of the communicator's handler", 1, comm_calls);
    FAILS(MPI_ERR_ARG, MPI_Comm_create_from_group(world, longest, MPI_INFO_NULL, of_comm, &comm));
    FAILS(MPI_ERR_ERRHANDLER, MPI_Comm_create_from_group(world, "bad", MPI_INFO_NULL, mine, &comm));
    FAILS(MPI_ERR_RANK, MPI_Intercomm_create_from_groups(world, test_size, world, 0, "bad", MPI_INFO_NULL,
                                                         MPI_ERRORS_RETURN, &comm));
    EQUAL("calls of the communicator's handler", 2, comm_calls);
    if (test_size > 1) {
        int other = (test_rank + 1) % test_size;
        MUST(MPI_Group_incl(world, 1, &other, &group));
        FAILS(MPI_ERR_GROUP, MPI_Comm_create_from_group(group, "bad", MPI_INFO_NULL, MPI_ERRORS_RETURN, &comm));
        MUST(MPI_Group_free(&group));
        if (test_rank == 0)
            FAILS(MPI_ERR_GROUP, MPI_Intercomm_create_from_groups(world, 0, world, 1, "bad", MPI_INFO_NULL,
                                                                  MPI_ERRORS_RETURN, &comm));
    }
    STEP("what a session leaves behind");
    comm = session_comm(session, "mpi://WORLD", "left behind");
    session_sum("left behind", comm);
    MUST(MPI_Barrier(MPI_COMM_WORLD));
    MUST(MPI_Session_finalize(&session));
    FAILS(MPI_ERR_COMM, MPI_Barrier(comm));
    MUST(MPI_Group_free(&world));
    MUST(MPI_Errhandler_free(&mine));
    MUST(MPI_Errhandler_free(&of_comm));
    return test_finish();
}
