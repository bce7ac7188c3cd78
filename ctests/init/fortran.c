/* What a Fortran binding tells of its compiler (MPI-5.0, 20.2): nothing at first, then once, before MPI_Init. */
#include "../test.h"
#include "../errors/quiet.h"

int main(int argc, char **argv) {
#if MPI_VERSION >= 5
    MPI_Info info = MPI_INFO_NULL, told = MPI_INFO_NULL;
    int yes = 1, no = 0, got_yes = -7, got_no = -7, flag = -1, length;
    char value[10];
    test_watchdog(30);
    STEP("at first");
    MUST(MPI_Abi_get_fortran_info(&told));
    CHECK(told == MPI_INFO_NULL, "information about Fortran that nobody gave");
    MUST(MPI_Abi_get_fortran_booleans(4, &got_yes, &got_no, &flag));
    EQUAL("set", 0, flag);
    STEP("told");
    MUST(MPI_Info_create(&info));
    MUST(MPI_Info_set(info, "mpi_logical_size", "4"));
    MUST(MPI_Info_set(info, "mpi_integer16_supported", "true"));
    MUST(MPI_Abi_set_fortran_info(info));
    MUST(MPI_Info_free(&info));
    MUST(MPI_Abi_get_fortran_info(&told));
    length = sizeof value;
    MUST(MPI_Info_get_string(told, "mpi_logical_size", &length, value, &flag));
    SAME_TEXT("mpi_logical_size", "4", value);
    MUST(MPI_Abi_set_fortran_booleans(4, &yes, &no));
    MUST(MPI_Abi_get_fortran_booleans(4, &got_yes, &got_no, &flag));
    EQUAL("set", 1, flag);
    EQUAL("true", yes, got_yes);
    EQUAL("false", no, got_no);
    test_start(&argc, &argv);
    errors_return();
    STEP("only once");
    FAILS(MPI_ERR_ABI, MPI_Abi_set_fortran_info(told));
    FAILS(MPI_ERR_ABI, MPI_Abi_set_fortran_booleans(4, &yes, &no));
    FAILS(MPI_ERR_ARG, MPI_Abi_set_fortran_booleans(3, &yes, &no));
    FAILS(MPI_ERR_ARG, MPI_Abi_get_fortran_booleans(8, &got_yes, &got_no, &flag));
    FAILS(MPI_ERR_ARG, MPI_Abi_set_fortran_booleans(4, NULL, &no));
    FAILS(MPI_ERR_INFO, MPI_Abi_set_fortran_info(MPI_INFO_NULL));
    MUST(MPI_Info_free(&told));
#else
    test_start(&argc, &argv);
#endif
    return test_finish();
}
