/* Calls outside of MPI_Init .. MPI_Finalize, by argument: `allowed` are those that MPI permits at any
 * time; `before`, `after` and `twice` end the process with a message; `return` shows that a second
 * MPI_Init returns an error when errors return. */
#include "../test.h"
#include "quiet.h"

static void allowed(int initialized, int finalized) {
    int flag, version, subversion, length;
    char text[MPI_MAX_LIBRARY_VERSION_STRING];
    MUST(MPI_Initialized(&flag));
    EQUAL("initialized", initialized, !!flag);
    MUST(MPI_Finalized(&flag));
    EQUAL("finalized", finalized, !!flag);
    MUST(MPI_Get_version(&version, &subversion));
    CHECK(version >= 3, "version %d.%d", version, subversion);
    MUST(MPI_Get_library_version(text, &length));
    CHECK(length > 0 && strlen(text) > 0, "empty library version");
}

int main(int argc, char **argv) {
    const char *which = argc > 1 ? argv[1] : "allowed";
    int word, errors, last;
    test_watchdog(20);
    if (strcmp(which, "before") == 0) {
        MPI_Comm_rank(MPI_COMM_WORLD, &word);
        printf("MPI_Comm_rank worked before MPI_Init\n");
        return 0;
    }
    allowed(0, 0);
    MPI_Init(&argc, &argv);
    test_started();
    allowed(1, 0);
    if (strcmp(which, "twice") == 0) {
        MPI_Init(&argc, &argv);
        printf("a second MPI_Init worked\n");
    }
    if (strcmp(which, "return") == 0) {
        errors_return();
        CHECK(MPI_Init(&argc, &argv) != MPI_SUCCESS, "a second MPI_Init worked");
        CHECK(MPI_Init_thread(&argc, &argv, MPI_THREAD_SINGLE, &word) != MPI_SUCCESS, "a second MPI_Init_thread worked");
        MUST(MPI_Allreduce(&test_rank, &word, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD));
        EQUAL("the library still works", test_size - 1, word);
    }
    MPI_Reduce(&test_errors, &errors, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    last = test_rank == 0;
    MPI_Finalize();
    test_errors = 0;
    allowed(1, 1);
    if (strcmp(which, "after") == 0) {
        MPI_Barrier(MPI_COMM_WORLD);
        printf("MPI_Barrier worked after MPI_Finalize\n");
        return 0;
    }
    if (last && errors + test_errors == 0) printf("No Errors\n");
    return test_errors != 0 || (last && errors != 0);
}
