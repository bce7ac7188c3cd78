/* For tests of bad input: errors are returned wherever they belong to, and a helper for those that
 * MPI leaves to either of two classes. Include after test.h. */
#ifndef CTESTS_ERRORS_QUIET_H
#define CTESTS_ERRORS_QUIET_H

/* Errors that belong to no communicator go to MPI_COMM_SELF (since MPI-4) or MPI_COMM_WORLD (before). */
TEST_UNUSED static void errors_return(void) {
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
}

#define FAILS_EITHER(one, other, call) either(__FILE__, __LINE__, #call, one, other, (call))
TEST_UNUSED static void either(const char *file, int line, const char *call, int one, int other, int code) {
    int class_ = MPI_SUCCESS;
    if (code != MPI_SUCCESS) MPI_Error_class(code, &class_);
    if (class_ != other) test_class(file, line, call, one, code);
}

/* A handle of one kind with another kind's value: what a wrong cast or a stale variable gives. */
#define FORGE(handle, from)                    \
    ((void)memset(&(handle), 0, sizeof(handle)), \
     (void)memcpy(&(handle), &(from), sizeof(handle) < sizeof(from) ? sizeof(handle) : sizeof(from)))

#endif
