/* Error classes, codes and strings, predefined and added by the program. */
#include "../test.h"
#include "quiet.h"

int main(int argc, char **argv) {
    static const int classes[] = {
        MPI_ERR_BUFFER,  MPI_ERR_COUNT,    MPI_ERR_TYPE,     MPI_ERR_TAG,  MPI_ERR_COMM,    MPI_ERR_RANK,
        MPI_ERR_REQUEST, MPI_ERR_ROOT,     MPI_ERR_GROUP,    MPI_ERR_OP,   MPI_ERR_TOPOLOGY, MPI_ERR_DIMS,
        MPI_ERR_ARG,     MPI_ERR_UNKNOWN,  MPI_ERR_TRUNCATE, MPI_ERR_OTHER, MPI_ERR_INTERN,  MPI_ERR_IN_STATUS,
        MPI_ERR_PENDING, MPI_ERR_KEYVAL,   MPI_ERR_NO_MEM,   MPI_ERR_BASE, MPI_ERR_INFO_KEY, MPI_ERR_INFO_VALUE,
        MPI_ERR_INFO_NOKEY, MPI_ERR_SPAWN, MPI_ERR_PORT,     MPI_ERR_SERVICE, MPI_ERR_NAME,  MPI_ERR_WIN,
        MPI_ERR_SIZE,    MPI_ERR_DISP,     MPI_ERR_INFO,     MPI_ERR_LOCKTYPE, MPI_ERR_ASSERT, MPI_ERR_FILE,
        MPI_ERR_AMODE,   MPI_ERR_NO_SUCH_FILE, MPI_ERR_IO,   MPI_ERR_UNSUPPORTED_OPERATION, MPI_ERR_RMA_RANGE};
    enum { CLASSES = sizeof classes / sizeof classes[0] };
    char text[MPI_MAX_ERROR_STRING + 1], first[MPI_MAX_ERROR_STRING + 1];
    int i, k, class_, length, code, mine, codes[3], *last, flag;
    test_start(&argc, &argv);
    errors_return();
    STEP("predefined classes");
    EQUAL("MPI_SUCCESS is zero", 0, MPI_SUCCESS);
    MUST(MPI_Error_class(MPI_SUCCESS, &class_));
    EQUAL("class of MPI_SUCCESS", MPI_SUCCESS, class_);
    for (i = 0; i < CLASSES; i++) {
        MUST(MPI_Error_class(classes[i], &class_));
        EQUAL("a class is its own class", classes[i], class_);
        CHECK(classes[i] > 0 && classes[i] <= MPI_ERR_LASTCODE, "class %d is out of range", classes[i]);
        for (k = 0; k < i; k++) CHECK(classes[i] != classes[k], "two classes are %d", classes[i]);
        memset(text, '#', sizeof text);
        MUST(MPI_Error_string(classes[i], text, &length));
        CHECK(length > 3 && length < MPI_MAX_ERROR_STRING && strlen(text) == (size_t)length,
              "string of class %d: length %d, text %.60s", classes[i], length, text);
    }
    STEP("a returned code has a class and a text");
    code = MPI_Send(text, 1, MPI_BYTE, 12345, 0, MPI_COMM_WORLD);
    MUST(MPI_Error_class(code, &class_));
    EQUAL("class", MPI_ERR_RANK, class_);
    MUST(MPI_Error_string(code, first, &length));
    EQUAL("length", strlen(first), length);
    STEP("added");
    MUST(MPI_Add_error_class(&mine));
    CHECK(mine > MPI_ERR_LASTCODE, "a new class is %d, MPI_ERR_LASTCODE %d", mine, MPI_ERR_LASTCODE);
    MUST(MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_LASTUSEDCODE, &last, &flag));
    CHECK(flag && *last >= mine, "MPI_LASTUSEDCODE is below the new class");
    MUST(MPI_Error_string(mine, text, &length));
    EQUAL("no string yet", 0, length);
    MUST(MPI_Add_error_string(mine, "the third wheel is missing"));
    MUST(MPI_Error_string(mine, text, &length));
    SAME_TEXT("class string", "the third wheel is missing", text);
    for (i = 0; i < 3; i++) {
        char made[40];
        MUST(MPI_Add_error_code(i < 2 ? mine : MPI_ERR_TAG, &codes[i]));
        sprintf(made, "wheel %d is square", i);
        MUST(MPI_Add_error_string(codes[i], made));
    }
    for (i = 0; i < 3; i++) {
        MUST(MPI_Error_class(codes[i], &class_));
        EQUAL("class of a new code", i < 2 ? mine : MPI_ERR_TAG, class_);
        MUST(MPI_Error_string(codes[i], text, &length));
        sprintf(first, "wheel %d is square", i);
        SAME_TEXT("string of a new code", first, text);
    }
    MUST(MPI_Add_error_string(codes[1], "changed"));
    MUST(MPI_Error_string(codes[1], text, &length));
    SAME_TEXT("changed", "changed", text);
    STEP("refused");
    CHECK(MPI_Add_error_string(MPI_ERR_TAG, "x") != MPI_SUCCESS, "a predefined class's string was changed");
    CHECK(MPI_Error_class(-5, &class_) != MPI_SUCCESS, "-5 has a class");
    return test_finish();
}
