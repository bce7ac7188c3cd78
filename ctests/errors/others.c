/* Error handlers for files and windows as far as they go without any: making and freeing them, the handler of
 * MPI_FILE_NULL, which files get when they are opened, and null windows. Keys for attributes of windows. */
#include "../test.h"
#include "quiet.h"

static int file_calls, last_class;
static MPI_File last_file;

static void file_handler(MPI_File *file, int *code, ...) {
    file_calls++;
    last_file = *file;
    MPI_Error_class(*code, &last_class);
}

static void win_handler(MPI_Win *win, int *code, ...) {
    (void)win;
    (void)code;
}

static void files(void) {
    MPI_Errhandler mine, win, got = MPI_ERRHANDLER_NULL;
    STEP("files");
    MUST(MPI_File_get_errhandler(MPI_FILE_NULL, &got));
    CHECK(got == MPI_ERRORS_RETURN, "the handler of MPI_FILE_NULL is not MPI_ERRORS_RETURN");
    MUST(MPI_File_call_errhandler(MPI_FILE_NULL, MPI_ERR_OTHER));
    MUST(MPI_File_create_errhandler(file_handler, &mine));
    MUST(MPI_Win_create_errhandler(win_handler, &win));
    MUST(MPI_File_set_errhandler(MPI_FILE_NULL, mine));
    MPI_File_call_errhandler(MPI_FILE_NULL, MPI_ERR_ACCESS);
    EQUAL("calls", 1, file_calls);
    EQUAL("class", MPI_ERR_ACCESS, last_class);
    CHECK(last_file == MPI_FILE_NULL, "the handler got another file");
    MUST(MPI_File_get_errhandler(MPI_FILE_NULL, &got));
    CHECK(got == mine, "another handler than the one set");
    MUST(MPI_Errhandler_free(&got));
    MUST(MPI_Errhandler_free(&mine));
    CHECK(mine == MPI_ERRHANDLER_NULL, "free left the handle");
    CHECK(MPI_File_set_errhandler(MPI_FILE_NULL, win) != MPI_SUCCESS, "a handler for windows");
    EQUAL("calls", 2, file_calls);
    MUST(MPI_File_set_errhandler(MPI_FILE_NULL, MPI_ERRORS_RETURN));
    MPI_File_call_errhandler(MPI_FILE_NULL, MPI_ERR_OTHER);
    EQUAL("calls", 2, file_calls);
    MUST(MPI_Errhandler_free(&win));
}

static void windows(void) {
    MPI_Errhandler mine, got = MPI_ERRHANDLER_NULL;
    int key = MPI_KEYVAL_INVALID, flag, *value;
    STEP("windows");
    MUST(MPI_Win_create_errhandler(win_handler, &mine));
    FAILS(MPI_ERR_WIN, MPI_Win_set_errhandler(MPI_WIN_NULL, mine));
    FAILS(MPI_ERR_WIN, MPI_Win_get_errhandler(MPI_WIN_NULL, &got));
    FAILS(MPI_ERR_WIN, MPI_Win_call_errhandler(MPI_WIN_NULL, MPI_ERR_OTHER));
    MUST(MPI_Errhandler_free(&mine));
    MUST(MPI_Win_create_keyval(MPI_WIN_NULL_COPY_FN, MPI_WIN_NULL_DELETE_FN, &key, NULL));
    CHECK(key != MPI_KEYVAL_INVALID, "no key");
    FAILS(MPI_ERR_WIN, MPI_Win_set_attr(MPI_WIN_NULL, key, &flag));
    FAILS(MPI_ERR_WIN, MPI_Win_get_attr(MPI_WIN_NULL, key, &value, &flag));
    FAILS(MPI_ERR_WIN, MPI_Win_delete_attr(MPI_WIN_NULL, key));
    MUST(MPI_Win_free_keyval(&key));
    EQUAL("the key after free", MPI_KEYVAL_INVALID, key);
}

int main(int argc, char **argv) {
    test_start(&argc, &argv);
    errors_return();
    files();
    windows();
    return test_finish();
}
