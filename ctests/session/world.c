/* MPI_COMM_WORLD and MPI_COMM_SELF of a program that opens a session and never calls MPI_Init. With MPICH they are
 * there for as long as a session is open, and benchmarks count on that; with the others their use is an error. */
#include "../test.h"
#include "session.h"

static int deleted;
static int deletes(MPI_Comm comm, int key, void *value, void *state) {
    (void)comm, (void)key, (void)value, (void)state;
    deleted++;
    return MPI_SUCCESS;
}

static void not_initialized(void) {
    int flag = -1;
    MUST(MPI_Initialized(&flag));
    CHECK(!flag, "MPI_Initialized says true with sessions only");
}

static void used(const char *what, int rank, int size, MPI_Comm comm) {
    int world_rank = -1, world_size = -1, sum = -1, mine = rank + 1, name_length = 0;
    char name[MPI_MAX_OBJECT_NAME];
    MUST(MPI_Comm_rank(MPI_COMM_WORLD, &world_rank));
    MUST(MPI_Comm_size(MPI_COMM_WORLD, &world_size));
    EQUAL("rank", rank, world_rank);
    EQUAL("size", size, world_size);
    MUST(MPI_Barrier(MPI_COMM_WORLD));
    MUST(MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    EQUAL(what, size * (size + 1) / 2, sum);
    session_sum(what, comm);
    session_sum(what, MPI_COMM_SELF);
    MUST(MPI_Comm_get_name(MPI_COMM_WORLD, name, &name_length));
    SAME_TEXT("name", "MPI_COMM_WORLD", name);
    not_initialized();
}

int main(int argc, char **argv) {
    MPI_Session session = MPI_SESSION_NULL;
    MPI_Comm comm;
    int rank = -1, size = -1, key = MPI_KEYVAL_INVALID, round, n;
    const char *how = argc > 1 ? argv[1] : "works";
    test_watchdog(60);
    setvbuf(stdout, NULL, _IOLBF, 4096);
    for (round = 0; round < 2; round++) {
        STEP("a session");
        MUST(MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session));
        comm = session_comm(session, "mpi://WORLD", "world");
        MUST(MPI_Comm_rank(comm, &rank));
        MUST(MPI_Comm_size(comm, &size));
        if (strcmp(how, "works") == 0) {
            used("a session", rank, size, comm);
            MUST(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, deletes, &key, NULL));
            MUST(MPI_Comm_set_attr(MPI_COMM_SELF, key, NULL));
            MUST(MPI_Comm_free_keyval(&key));
        } else {
            FAILS(MPI_ERR_COMM, MPI_Comm_rank(MPI_COMM_WORLD, &n));
            FAILS(MPI_ERR_COMM, MPI_Comm_size(MPI_COMM_SELF, &n));
            FAILS(MPI_ERR_COMM, MPI_Barrier(MPI_COMM_WORLD));
            not_initialized();
        }
        MUST(MPI_Comm_free(&comm));
        MUST(MPI_Session_finalize(&session));
        if (strcmp(how, "works") == 0) EQUAL("attributes deleted with the last session", round + 1, deleted);
    }
    STEP("MPI_Init after it");
    MPI_Init(&argc, &argv);
    session_sum("the world", MPI_COMM_WORLD);
    if (strcmp(how, "works") == 0) {
        MUST(MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session));
        MPI_Finalize();
        session_sum("after MPI_Finalize", MPI_COMM_WORLD);
        MUST(MPI_Session_finalize(&session));
    } else {
        MPI_Finalize();
    }
    return session_verdict();
}
