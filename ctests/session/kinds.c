/* The kinds of memory that mpiexec was told of (-memory-alloc-kinds mpi:alloc_mem): in the hints of the predefined
 * communicators, and of those that are made from them. */
#include "../test.h"

static void kinds(const char *which, MPI_Comm comm) {
    MPI_Info info = MPI_INFO_NULL;
    char value[MPI_MAX_INFO_VAL] = "";
    int flag = 0;
    MUST(MPI_Comm_get_info(comm, &info));
    MUST(MPI_Info_get(info, "mpi_memory_alloc_kinds", MPI_MAX_INFO_VAL - 1, value, &flag));
    CHECK(flag, "%s has no kinds of memory", which);
    SAME_TEXT(which, "mpi:alloc_mem,mpi,system", value);
    MUST(MPI_Info_free(&info));
}

int main(int argc, char **argv) {
    MPI_Comm comm;
    test_start(&argc, &argv);
    kinds("MPI_COMM_WORLD", MPI_COMM_WORLD);
    kinds("MPI_COMM_SELF", MPI_COMM_SELF);
    MUST(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    kinds("a duplicate", comm);
    MUST(MPI_Comm_free(&comm));
    MUST(MPI_Comm_split(MPI_COMM_WORLD, 0, 0, &comm));
    kinds("a part", comm);
    MUST(MPI_Comm_free(&comm));
    return test_finish();
}
