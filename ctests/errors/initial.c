/* The handler that a launcher names as the initial one: it has the errors before MPI_Init and after
 * MPI_Finalize, and the predefined communicators at first. Argument: `returns` or `aborts`. */
#include "../test.h"

int main(int argc, char **argv) {
    int rank = -1, code, class_ = -1;
    MPI_Errhandler got;
    test_watchdog(30);
    if (argc > 1 && strcmp(argv[1], "aborts") == 0) {
        MPI_Init(&argc, &argv);
        MPI_Comm_get_errhandler(MPI_COMM_WORLD, &got);
        if (got != MPI_ERRORS_ABORT) return 0;
        MPI_Send(&rank, 1, MPI_INT, -77, 0, MPI_COMM_WORLD);
        return 0;
    }
    STEP("before MPI_Init");
    code = MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    CHECK(code != MPI_SUCCESS, "a rank before MPI_Init: %d", rank);
    MPI_Init(&argc, &argv);
    test_started();
    MUST(MPI_Comm_get_errhandler(MPI_COMM_WORLD, &got));
    CHECK(got == MPI_ERRORS_RETURN, "the world's handler is another");
    MUST(MPI_Comm_get_errhandler(MPI_COMM_SELF, &got));
    CHECK(got == MPI_ERRORS_RETURN, "that of MPI_COMM_SELF is another");
    FAILS(MPI_ERR_RANK, MPI_Send(&rank, 1, MPI_INT, -77, 0, MPI_COMM_WORLD));
    FAILS(MPI_ERR_TYPE, MPI_Type_size(MPI_DATATYPE_NULL, &rank));
    rank = test_verdict();
    MPI_Finalize();
    code = MPI_Barrier(MPI_COMM_WORLD);
    if (code != MPI_SUCCESS) MPI_Error_class(code, &class_);
    return rank == 0 && class_ == MPI_ERR_OTHER ? 0 : 1;
}
