/* Error handlers: who is called with what, inheritance by dup and split, freeing one in use, calling
 * one by hand, and that MPI_ERRORS_RETURN returns. */
#include "../test.h"
#include "quiet.h"

static int calls, last_class, last_code;
static MPI_Comm last_comm;

static void handler(MPI_Comm *comm, int *code, ...) {
    calls++;
    last_comm = *comm;
    last_code = *code;
    MPI_Error_class(*code, &last_class);
    /* MPI may be called from a handler. */
    {
        int rank;
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    }
}

static int others;
static void other(MPI_Comm *comm, int *code, ...) {
    (void)comm;
    (void)code;
    others++;
}

int main(int argc, char **argv) {
    MPI_Errhandler mine, second, got;
    MPI_Comm comm, copy, part;
    int code, word = 0;
    test_start(&argc, &argv);
    STEP("defaults");
    MUST(MPI_Comm_get_errhandler(MPI_COMM_WORLD, &got));
    CHECK(got == MPI_ERRORS_ARE_FATAL, "the world's handler is not MPI_ERRORS_ARE_FATAL");
    MUST(MPI_Errhandler_free(&got));
    CHECK(got == MPI_ERRHANDLER_NULL, "free left the handle");
    STEP("a handler of mine");
    MUST(MPI_Comm_create_errhandler(handler, &mine));
    MUST(MPI_Comm_create_errhandler(other, &second));
    MUST(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    MUST(MPI_Comm_set_errhandler(comm, mine));
    code = MPI_Send(&word, 1, MPI_INT, test_size + 5, 0, comm);
    CHECK(code != MPI_SUCCESS, "the call must still return its error");
    EQUAL("calls", 1, calls);
    EQUAL("code given and returned", code, last_code);
    EQUAL("class", MPI_ERR_RANK, last_class);
    CHECK(last_comm == comm, "the handler got another communicator");
    STEP("inherited");
    MUST(MPI_Comm_dup(comm, &copy));
    MUST(MPI_Comm_split(comm, 0, 0, &part));
    MPI_Send(&word, 1, MPI_INT, 0, -7, copy);
    EQUAL("calls", 2, calls);
    EQUAL("class", MPI_ERR_TAG, last_class);
    CHECK(last_comm == copy, "the handler got another communicator");
    MPI_Send(&word, -1, MPI_INT, 0, 0, part);
    EQUAL("calls", 3, calls);
    EQUAL("class", MPI_ERR_COUNT, last_class);
    STEP("set again, and freed while in use");
    MUST(MPI_Comm_set_errhandler(copy, second));
    MUST(MPI_Errhandler_free(&second));
    MUST(MPI_Errhandler_free(&mine));
    CHECK(mine == MPI_ERRHANDLER_NULL, "free left the handle");
    MPI_Send(&word, -1, MPI_INT, 0, 0, copy);
    EQUAL("the other one", 1, others);
    MPI_Send(&word, -1, MPI_INT, 0, 0, comm);
    EQUAL("calls", 4, calls);
    STEP("called by hand");
    MPI_Comm_call_errhandler(comm, MPI_ERR_TRUNCATE);
    EQUAL("calls", 5, calls);
    EQUAL("class", MPI_ERR_TRUNCATE, last_class);
    MUST(MPI_Comm_get_errhandler(comm, &got));
    MUST(MPI_Comm_set_errhandler(part, MPI_ERRORS_RETURN));
    MPI_Comm_call_errhandler(part, MPI_ERR_OTHER);
    EQUAL("calls", 5, calls);
    MUST(MPI_Comm_set_errhandler(part, got));
    MUST(MPI_Errhandler_free(&got));
    MPI_Comm_call_errhandler(part, MPI_ERR_OTHER);
    EQUAL("calls", 6, calls);
    STEP("truncation calls it too");
    {
        int two[2] = {1, 2};
        MPI_Request request;
        MUST(MPI_Isend(two, 2, MPI_INT, test_rank, 1, comm, &request));
        code = MPI_Recv(&word, 1, MPI_INT, test_rank, 1, comm, MPI_STATUS_IGNORE);
        FAILS(MPI_ERR_TRUNCATE, code);
        EQUAL("calls", 7, calls);
        MUST(MPI_Wait(&request, MPI_STATUS_IGNORE));
    }
    STEP("errors that belong to no communicator");
    MUST(MPI_Comm_get_errhandler(comm, &got));
    MUST(MPI_Comm_set_errhandler(MPI_COMM_WORLD, got));
    MUST(MPI_Comm_set_errhandler(MPI_COMM_SELF, got));
    MUST(MPI_Errhandler_free(&got));
    MPI_Type_size(MPI_DATATYPE_NULL, &word);
    EQUAL("calls", 8, calls);
    EQUAL("class", MPI_ERR_TYPE, last_class);
    MUST(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL));
    MUST(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_ARE_FATAL));
    MUST(MPI_Comm_free(&comm));
    MUST(MPI_Comm_free(&copy));
    MUST(MPI_Comm_free(&part));
    return test_finish();
}
