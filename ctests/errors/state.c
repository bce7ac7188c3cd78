/* MPICH's operations and error handlers with a state: the function gets it with every call, and it is
 * disposed of once, when nothing calls the function any more. */
#include "../test.h"

static int disposed;

static void dispose(void *state) {
    disposed++;
    *(int *)state = -1;
}

static void weigh(void *invec, void *inoutvec, MPI_Count len, MPI_Datatype datatype, void *state) {
    MPI_Count i;
    EQUAL("state of the operation", 7, *(int *)state);
    CHECK(datatype == MPI_INT, "the operation was called with another datatype");
    for (i = 0; i < len; i++) ((int *)inoutvec)[i] += *(int *)state * ((int *)invec)[i];
}

static int seen_code, seen_comm;

static void note(MPI_Comm comm, int code, void *state) {
    int class_;
    MPI_Error_class(code, &class_);
    seen_code = class_;
    seen_comm = comm == MPI_COMM_SELF;
    ++*(int *)state;
}

int main(int argc, char **argv) {
    int weight = 7, calls = 0, in[3] = {1, 2, 3}, inout[3] = {10, 20, 30}, class_, i;
    MPI_Op op;
    MPI_Errhandler handler;
    test_start(&argc, &argv);

    STEP("an operation");
    MUST(MPIX_Op_create_x(weigh, dispose, 1, &weight, &op));
    MUST(MPI_Reduce_local(in, inout, 3, MPI_INT, op));
    for (i = 0; i < 3; i++) EQUAL("weighted sum", 10 * (i + 1) + 7 * (i + 1), inout[i]);
    MUST(MPI_Allreduce(MPI_IN_PLACE, in, 3, MPI_INT, op, MPI_COMM_WORLD));
    EQUAL("disposed of early", 0, disposed);
    MUST(MPI_Op_free(&op));
    EQUAL("disposed of", 1, disposed);
    EQUAL("the state", -1, weight);

    STEP("an error handler");
    MUST(MPIX_Comm_create_errhandler_x(note, dispose, &calls, &handler));
    MUST(MPI_Comm_set_errhandler(MPI_COMM_SELF, handler));
    MUST(MPI_Errhandler_free(&handler));
    EQUAL("disposed of while it is in use", 1, disposed);
    class_ = MPI_Send(in, 1, MPI_INT, 99, 0, MPI_COMM_SELF);
    MPI_Error_class(class_, &class_);
    EQUAL("class returned", MPI_ERR_RANK, class_);
    EQUAL("class seen", MPI_ERR_RANK, seen_code);
    EQUAL("communicator seen", 1, seen_comm);
    EQUAL("calls", 1, calls);
    MUST(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_ARE_FATAL));
    EQUAL("disposed of", 2, disposed);

    STEP("without a destructor");
    MUST(MPIX_Op_create_x(weigh, NULL, 0, &weight, &op));
    MUST(MPI_Op_free(&op));
    return test_finish();
}
