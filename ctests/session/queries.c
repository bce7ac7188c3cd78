/* What a session says of itself: process sets, their sizes, hints, level of thread support, kinds of memory;
 * its handle as an integer. */
#include "../test.h"
#include "session.h"

static void sets(MPI_Session session, int size) {
    int n = -1, i, length, world = 0, self = 0, flag;
    char name[MPI_MAX_PSET_NAME_LEN], text[20], cut[5];
    STEP("process sets");
    MUST(MPI_Session_get_num_psets(session, MPI_INFO_NULL, &n));
    CHECK(n >= 2, "%d process sets", n);
    for (i = 0; i < n; i++) {
        MPI_Info info = MPI_INFO_NULL;
        MPI_Group group = MPI_GROUP_NULL;
        int members = -1;
        length = 0;
        MUST(MPI_Session_get_nth_pset(session, MPI_INFO_NULL, i, &length, NULL));
        CHECK(length > 1 && length <= MPI_MAX_PSET_NAME_LEN, "the length of name %d is %d", i, length);
        memset(name, 'x', sizeof name);
        MUST(MPI_Session_get_nth_pset(session, MPI_INFO_NULL, i, &length, name));
        EQUAL("length with its NUL", strlen(name) + 1, length);
        length = sizeof cut;
        MUST(MPI_Session_get_nth_pset(session, MPI_INFO_NULL, i, &length, cut));
        EQUAL("length of a cut name", 4, strlen(cut));
        CHECK(strncmp(cut, name, 4) == 0, "a cut name: \"%s\"", cut);
        MUST(MPI_Session_get_pset_info(session, name, &info));
        length = sizeof text;
        MUST(MPI_Info_get_string(info, "mpi_size", &length, text, &flag));
        CHECK(flag, "no mpi_size");
        MUST(MPI_Info_free(&info));
        if (strcmp(name, "mpi://WORLD") == 0) world = atoi(text);
        if (strcmp(name, "mpi://SELF") == 0) self = atoi(text);
        if (strncmp(name, "mpi://", 6) != 0) continue;
        MUST(MPI_Group_from_session_pset(session, name, &group));
        MUST(MPI_Group_size(group, &members));
        EQUAL("size of the group", atoi(text), members);
        MUST(MPI_Group_free(&group));
    }
    EQUAL("mpi://WORLD", size, world);
    EQUAL("mpi://SELF", 1, self);
}

static void level(const char *wished, const char *expected) {
    MPI_Session session = MPI_SESSION_NULL;
    MPI_Info info = MPI_INFO_NULL, used = MPI_INFO_NULL;
    char value[MPI_MAX_INFO_VAL] = "";
    int flag = 0, length = sizeof value;
    STEP("levels of thread support");
    MUST(MPI_Info_create(&info));
    MUST(MPI_Info_set(info, "thread_level", wished));
    MUST(MPI_Session_init(info, MPI_ERRORS_RETURN, &session));
    MUST(MPI_Info_free(&info));
    MUST(MPI_Session_get_info(session, &used));
    MUST(MPI_Info_get_string(used, "thread_level", &length, value, &flag));
    CHECK(flag, "no thread_level");
    SAME_TEXT("thread_level", expected, value);
    MUST(MPI_Info_free(&used));
    MUST(MPI_Session_finalize(&session));
}

#if MPI_VERSION >= 5
static void kinds(void) {
    static const char *wishes[] = {"system", "mpi:alloc_mem,system", "unheard_of:kind,system,mpi"};
    MPI_Session session = MPI_SESSION_NULL;
    MPI_Info info, used = MPI_INFO_NULL;
    MPI_Comm comm;
    char value[MPI_MAX_INFO_VAL], again[MPI_MAX_INFO_VAL];
    int i, flag, length;
    STEP("kinds of memory");
    for (i = 0; i < 3; i++) {
        MUST(MPI_Info_create(&info));
        MUST(MPI_Info_set(info, "mpi_memory_alloc_kinds", wishes[i]));
        MUST(MPI_Session_init(info, MPI_ERRORS_RETURN, &session));
        MUST(MPI_Info_free(&info));
        MUST(MPI_Session_get_info(session, &used));
        length = sizeof value, value[0] = 0;
        MUST(MPI_Info_get_string(used, "mpi_memory_alloc_kinds", &length, value, &flag));
        CHECK(flag && strstr(value, "system") && strstr(value, "mpi"), "wished %s, got %s", wishes[i], value);
        CHECK(!strstr(value, "unheard_of"), "wished %s, got %s", wishes[i], value);
        if (i == 1) CHECK(strstr(value, "mpi:alloc_mem"), "wished %s, got %s", wishes[i], value);
        MUST(MPI_Info_free(&used));
        comm = session_comm(session, "mpi://WORLD", "kinds");
        MUST(MPI_Comm_get_info(comm, &used));
        length = sizeof again, again[0] = 0;
        MUST(MPI_Info_get_string(used, "mpi_memory_alloc_kinds", &length, again, &flag));
        SAME_TEXT("a communicator of the session", value, again);
        MUST(MPI_Info_free(&used));
        MUST(MPI_Comm_free(&comm));
        MUST(MPI_Session_finalize(&session));
    }
}
#endif

int main(void) {
    MPI_Session session = MPI_SESSION_NULL;
    MPI_Comm comm;
    int size = 0;
    test_watchdog(60);
    setvbuf(stdout, NULL, _IOLBF, 4096);
    MUST(MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session));
    comm = session_comm(session, "mpi://WORLD", "queries");
    MUST(MPI_Comm_rank(comm, &test_rank));
    MUST(MPI_Comm_size(comm, &size));
    MUST(MPI_Comm_free(&comm));
    sets(session, size);
    STEP("handles as integers");
#ifndef MPI_ABI_VERSION
    CHECK(MPI_Session_f2c(MPI_Session_c2f(session)) == session, "c2f and f2c");
    CHECK(MPI_Session_f2c(MPI_Session_c2f(MPI_SESSION_NULL)) == MPI_SESSION_NULL, "c2f and f2c of the null handle");
#endif
#if MPI_VERSION >= 5
    CHECK(MPI_Session_fromint(MPI_Session_toint(session)) == session, "toint and fromint");
    CHECK(MPI_Session_fromint(MPI_Session_toint(MPI_SESSION_NULL)) == MPI_SESSION_NULL, "toint of the null handle");
#endif
    MUST(MPI_Session_finalize(&session));
    level("MPI_THREAD_SINGLE", "MPI_THREAD_SINGLE");
    level("MPI_THREAD_FUNNELED", "MPI_THREAD_FUNNELED");
    level("MPI_THREAD_SERIALIZED", "MPI_THREAD_SERIALIZED");
    level("MPI_THREAD_MULTIPLE", "MPI_THREAD_MULTIPLE");
#if MPI_VERSION >= 5
    kinds();
#endif
    return session_verdict();
}
