/* Processes that spawn others (MPI-5.0, 11.8): of this program, from every number of parents, with arguments, several
 * programs at once, several times; what the children see of it; and programs that do not exist. */
#include "common.h"

static int child(int argc, char **argv, MPI_Comm parent) {
    MPI_Comm merged;
    int appnum, flag, *value, rank, size, expected;
    MUST(MPI_Comm_rank(MPI_COMM_WORLD, &rank));
    MUST(MPI_Comm_size(MPI_COMM_WORLD, &size));
    EQUAL("arguments", 4, argc);
    SAME_TEXT("the first argument", "child", argv[1]);
    SAME_TEXT("an argument with spaces and quotes", "two words 'and' \"quotes\"", argv[3]);
    /* The second argument says which program it is, and how many processes there are of all. */
    EQUAL("processes of this world", atoi(strchr(argv[2], '/') + 1), size);
    MUST(MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_APPNUM, &value, &flag));
    EQUAL("MPI_APPNUM is set", 1, !!flag);
    expected = atoi(argv[2]);
    appnum = flag ? *value : -1;
    EQUAL("MPI_APPNUM", expected, appnum);
    merged = try_joined(parent, 1);
    MUST(MPI_Comm_disconnect(&merged));
    MUST(MPI_Comm_disconnect(&parent));
    MUST(MPI_Comm_get_parent(&parent));
    EQUAL("no parent any more", 1, parent == MPI_COMM_NULL);
    return end_quietly();
}

int main(int argc, char **argv) {
    MPI_Comm parent, inter, merged;
    MPI_Info info;
    char *first[] = {"child", "0/2", "two words 'and' \"quotes\"", NULL};
    char *several[2][4] = {{"child", "0/3", "two words 'and' \"quotes\"", NULL},
                           {"child", "1/3", "two words 'and' \"quotes\"", NULL}};
    char **argvs[2], *commands[2], *nowhere[] = {"/no/such/program", "/no/such/program"};
    MPI_Info infos[2] = {MPI_INFO_NULL, MPI_INFO_NULL};
    int counts[] = {1, 2}, codes[3] = {-1, -1, -1}, i, times;
    test_start(&argc, &argv);
    MUST(MPI_Comm_get_parent(&parent));
    if (parent != MPI_COMM_NULL) return child(argc, argv, parent);
    for (times = 0; times < 3; times++) {
        STEP("spawn");
        MUST(MPI_Comm_spawn(argv[0], first, 2, MPI_INFO_NULL, test_size - 1, MPI_COMM_WORLD, &inter, codes));
        for (i = 0; i < 2; i++) EQUAL("an error code", MPI_SUCCESS, codes[i]);
        merged = try_joined(inter, 0);
        STEP("disconnect");
        MUST(MPI_Comm_disconnect(&merged));
        MUST(MPI_Comm_disconnect(&inter));
    }
    STEP("spawn several programs");
    for (i = 0; i < 2; i++) argvs[i] = several[i], commands[i] = argv[0];
    MUST(MPI_Comm_spawn_multiple(2, commands, argvs, counts, infos, 0, MPI_COMM_WORLD, &inter, MPI_ERRCODES_IGNORE));
    merged = try_joined(inter, 0);
    MUST(MPI_Comm_disconnect(&merged));
    MUST(MPI_Comm_disconnect(&inter));

    STEP("what must fail");
    MUST(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    MUST(MPI_Info_create(&info));
    FAILS(MPI_ERR_SPAWN, MPI_Comm_spawn(nowhere[0], MPI_ARGV_NULL, 2, info, 0, MPI_COMM_WORLD, &inter, codes));
    if (test_rank == 0)
        for (i = 0; i < 2; i++) CHECK(codes[i] != MPI_SUCCESS, "process %d of a program that does not exist", i);
    FAILS(MPI_ERR_SPAWN, MPI_Comm_spawn_multiple(2, nowhere, MPI_ARGVS_NULL, counts, infos, 0, MPI_COMM_WORLD, &inter,
                                                 MPI_ERRCODES_IGNORE));
    FAILS(MPI_ERR_ROOT, MPI_Comm_spawn(argv[0], first, 2, info, test_size, MPI_COMM_WORLD, &inter, codes));
    FAILS(MPI_ERR_ARG, MPI_Comm_spawn(argv[0], first, -1, info, 0, MPI_COMM_WORLD, &inter, codes));
    MUST(MPI_Info_free(&info));
    return test_finish();
}
