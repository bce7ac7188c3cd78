/* Files as programs use them that can do without: MPI_File_open and MPI_File_delete return an error although the
 * communicator's handler is fatal. Of each function that is not built standard error says so in one line, once,
 * whatever the handler. */
#include "../test.h"

static void file_handler(MPI_File *file, int *code, ...) {
    (void)file;
    (void)code;
}

static void comm_handler(MPI_Comm *comm, int *code, ...) {
    (void)comm;
    (void)code;
}

/* Standard error goes to a file for a while. */
static FILE *kept;
static int before;

static void keep(void) {
    kept = tmpfile();
    if (!kept) {
        printf("no temporary file\n");
        exit(3);
    }
    fflush(stderr);
    before = dup(2);
    dup2(fileno(kept), 2);
}

/* What was written meanwhile: as many lines as there are names, in order and each with its name. */
static void said(const char *what, const char *const *names) {
    char line[1000];
    fflush(stderr);
    dup2(before, 2);
    close(before);
    rewind(kept);
    for (; *names; names++) {
        if (!fgets(line, sizeof line, kept)) line[0] = 0;
        CHECK(strncmp(line, "anympi: ", 8) == 0 && strstr(line, *names), "%s: expected a line about %s, got \"%s\"",
              what, *names, line);
    }
    CHECK(!fgets(line, sizeof line, kept), "%s: one line more: \"%s\"", what, line);
    fclose(kept);
}

int main(int argc, char **argv) {
    static const char *const once[] = {"MPI_File_open on rank", "MPI_File_delete on rank", NULL};
    static const char *const own[] = {"MPI_File_close on rank", "MPI_Win_free on rank", NULL};
    static const char *const nothing[] = {NULL};
    MPI_File file = MPI_FILE_NULL;
    MPI_Win win = MPI_WIN_NULL;
    MPI_Errhandler handler;
    int i;
    test_start(&argc, &argv);
    if (argc > 1) {
        /* No line here can be seen but that of the handler that ends the job. */
        MPI_Win_free(&win);
        return 0;
    }
    STEP("files");
    keep();
    for (i = 0; i < 3; i++) {
        FAILS(MPI_ERR_UNSUPPORTED_OPERATION,
              MPI_File_open(MPI_COMM_WORLD, "none", MPI_MODE_RDONLY, MPI_INFO_NULL, &file));
        FAILS(MPI_ERR_UNSUPPORTED_OPERATION, MPI_File_delete("none", MPI_INFO_NULL));
    }
    said("MPI_ERRORS_RETURN", once);
    STEP("handlers of my own");
    MUST(MPI_File_create_errhandler(file_handler, &handler));
    MUST(MPI_File_set_errhandler(MPI_FILE_NULL, handler));
    MUST(MPI_Errhandler_free(&handler));
    MUST(MPI_Comm_create_errhandler(comm_handler, &handler));
    MUST(MPI_Comm_set_errhandler(MPI_COMM_SELF, handler));
    MUST(MPI_Errhandler_free(&handler));
    keep();
    FAILS(MPI_ERR_UNSUPPORTED_OPERATION, MPI_File_close(&file));
    FAILS(MPI_ERR_UNSUPPORTED_OPERATION, MPI_Win_free(&win));
    FAILS(MPI_ERR_UNSUPPORTED_OPERATION, MPI_Win_free(&win));
    said("my own", own);
    STEP("other errors say nothing");
    keep();
    FAILS(MPI_ERR_COMM, MPI_Comm_rank(MPI_COMM_NULL, &i));
    FAILS(MPI_ERR_UNSUPPORTED_OPERATION, MPI_File_delete("none", MPI_INFO_NULL));
    said("nothing new", nothing);
    return test_finish();
}
