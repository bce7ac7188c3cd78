/* When sessions can be: without MPI_Init, before it, beside it, after MPI_Finalize, several at a time and
 * one after another. What MPI_Initialized and MPI_Finalized say meanwhile. */
#include "../test.h"
#include "session.h"

static void flags(const char *when, int initialized, int finalized) {
    int flag = -1;
    MUST(MPI_Initialized(&flag));
    CHECK(flag == initialized, "%s: MPI_Initialized says %d", when, flag);
    MUST(MPI_Finalized(&flag));
    CHECK(flag == finalized, "%s: MPI_Finalized says %d", when, flag);
}

/* One session from its start to its end; keeps the communicator if asked to. */
static void one(const char *tag) {
    MPI_Session session = MPI_SESSION_NULL;
    MPI_Comm comm;
    MUST(MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session));
    CHECK(session != MPI_SESSION_NULL, "%s: no handle", tag);
    comm = session_comm(session, "mpi://WORLD", tag);
    session_sum(tag, comm);
    MUST(MPI_Comm_free(&comm));
    MUST(MPI_Session_finalize(&session));
    CHECK(session == MPI_SESSION_NULL, "%s: finalize left the handle", tag);
}

static void several(void) {
    MPI_Session session[5];
    MPI_Comm comm[5];
    int i, size, total = -1;
    STEP("several at a time");
    for (i = 0; i < 5; i++) {
        char tag[20];
        MUST(MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session[i]));
        snprintf(tag, sizeof tag, "several %d", i);
        comm[i] = session_comm(session[i], i % 2 ? "mpi://SELF" : "mpi://WORLD", tag);
    }
    CHECK(session[0] != session[1], "two sessions have one handle");
    for (i = 4; i >= 0; i--) session_sum("several", comm[i]);
    MUST(MPI_Comm_size(comm[1], &size));
    EQUAL("mpi://SELF", 1, size);
    /* Ended in another order than opened. */
    for (i = 0; i < 5; i++) {
        int k = (i * 3 + 2) % 5;
        MUST(MPI_Comm_free(&comm[k]));
        MUST(MPI_Session_finalize(&session[k]));
        if (i < 4) {
            int last = ((i + 1) * 3 + 2) % 5;
            MUST(MPI_Allreduce(&i, &total, 1, MPI_INT, MPI_MAX, comm[last]));
            EQUAL("those left", i, total);
        }
    }
}

int main(int argc, char **argv) {
    const char *how = argc > 1 ? argv[1] : "alone";
    MPI_Session outer = MPI_SESSION_NULL;
    MPI_Comm comm = MPI_COMM_NULL;
    int i;
    test_watchdog(60);
    setvbuf(stdout, NULL, _IOLBF, 4096);
    flags("at first", 0, 0);
    if (strcmp(how, "alone") == 0) {
        STEP("one after another");
        for (i = 0; i < 20; i++) {
            one("alone");
            flags("between sessions", 0, 0);
        }
        several();
    } else if (strcmp(how, "before") == 0) {
        STEP("before MPI_Init");
        one("before");
        MPI_Init(&argc, &argv);
        flags("after MPI_Init", 1, 0);
        session_sum("world", MPI_COMM_WORLD);
        one("beside");
        MPI_Finalize();
        flags("after MPI_Finalize", 1, 1);
    } else if (strcmp(how, "around") == 0) {
        STEP("around the world model");
        MUST(MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &outer));
        comm = session_comm(outer, "mpi://WORLD", "around");
        MPI_Init(&argc, &argv);
        session_sum("world", MPI_COMM_WORLD);
        session_sum("around, within", comm);
        MPI_Finalize();
        flags("after MPI_Finalize", 1, 1);
        session_sum("around, after", comm);
        several();
        MUST(MPI_Comm_free(&comm));
        MUST(MPI_Session_finalize(&outer));
    } else if (strcmp(how, "inside") == 0) {
        int level;
        STEP("inside the world model");
        MPI_Init_thread(&argc, &argv, MPI_THREAD_SINGLE, &level);
        several();
        for (i = 0; i < 5; i++) one("inside");
        MUST(MPI_Query_thread(&level));
        EQUAL("the world's level stays", MPI_THREAD_SINGLE, level);
        session_sum("world", MPI_COMM_WORLD);
        MPI_Finalize();
        flags("after MPI_Finalize", 1, 1);
    } else {
        STEP("after MPI_Finalize");
        MPI_Init(&argc, &argv);
        session_sum("world", MPI_COMM_WORLD);
        MPI_Finalize();
        for (i = 0; i < 5; i++) {
            one("after");
            flags("after MPI_Finalize", 1, 1);
        }
        several();
    }
    return session_verdict();
}
