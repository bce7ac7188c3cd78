/* Info objects: set, get with short buffers, delete, order of keys, dup, limits, MPI_INFO_ENV, and
 * info on communicators. */
#include "../test.h"

static void value_of(const char *what, MPI_Info info, const char *key, const char *expected) {
    char value[MPI_MAX_INFO_VAL + 1] = "unchanged";
    int flag = -1, length = -1;
    MUST(MPI_Info_get(info, key, MPI_MAX_INFO_VAL, value, &flag));
    EQUAL(what, expected != NULL, flag);
    if (expected) {
        SAME_TEXT(what, expected, value);
        MUST(MPI_Info_get_valuelen(info, key, &length, &flag));
        EQUAL(what, strlen(expected), length);
    } else
        SAME_TEXT("value untouched", "unchanged", value);
}

int main(int argc, char **argv) {
    MPI_Info info, copy;
    char key[MPI_MAX_INFO_KEY + 1], longest[MPI_MAX_INFO_KEY + 1], *wide = test_alloc(MPI_MAX_INFO_VAL + 1), small[4];
    int n = -1, flag, i;
    test_start(&argc, &argv);
    STEP("set and get");
    MUST(MPI_Info_create(&info));
    MUST(MPI_Info_get_nkeys(info, &n));
    EQUAL("keys of a new one", 0, n);
    value_of("missing", info, "colour", NULL);
    MUST(MPI_Info_set(info, "colour", "red"));
    MUST(MPI_Info_set(info, "shape", "round and large"));
    MUST(MPI_Info_set(info, "Colour", "another key"));
    MUST(MPI_Info_set(info, "colour", "green"));
    value_of("set again", info, "colour", "green");
    value_of("blanks inside", info, "shape", "round and large");
    value_of("case counts", info, "Colour", "another key");
    MUST(MPI_Info_get_nkeys(info, &n));
    EQUAL("keys", 3, n);
    STEP("short buffer");
    memset(small, '#', sizeof small);
    MUST(MPI_Info_get(info, "colour", 3, small, &flag));
    SAME_TEXT("cut to three characters", "gre", small);
    STEP("order");
    MUST(MPI_Info_get_nthkey(info, 0, key));
    SAME_TEXT("first", "colour", key);
    MUST(MPI_Info_get_nthkey(info, 1, key));
    SAME_TEXT("second", "shape", key);
    STEP("dup and delete");
    MUST(MPI_Info_dup(info, &copy));
    MUST(MPI_Info_delete(info, "shape"));
    value_of("deleted", info, "shape", NULL);
    value_of("kept in the copy", copy, "shape", "round and large");
    MUST(MPI_Info_get_nthkey(copy, 2, key));
    SAME_TEXT("third of the copy", "Colour", key);
    MUST(MPI_Info_free(&info));
    CHECK(info == MPI_INFO_NULL, "free left the handle");
    value_of("the copy lives", copy, "colour", "green");
    STEP("longest key and value");
    memset(longest, 'k', sizeof longest);
    longest[MPI_MAX_INFO_KEY - 1] = 0;
    memset(wide, 'v', MPI_MAX_INFO_VAL);
    wide[MPI_MAX_INFO_VAL - 1] = 0;
    MUST(MPI_Info_set(copy, longest, wide));
    value_of("longest", copy, longest, wide);
    for (i = 0; i < 200; i++) {
        sprintf(key, "key%d", i);
        MUST(MPI_Info_set(copy, key, key + 3));
    }
    value_of("one of many", copy, "key137", "137");
    MUST(MPI_Info_get_nkeys(copy, &n));
    EQUAL("keys", 204, n);
    STEP("on a communicator");
    {
        MPI_Comm comm;
        MPI_Info used;
        MUST(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
        MUST(MPI_Comm_set_info(comm, copy));
        MUST(MPI_Comm_get_info(comm, &used));
        CHECK(used != MPI_INFO_NULL, "get_info gave MPI_INFO_NULL");
        MUST(MPI_Info_get_nkeys(used, &n));
        MUST(MPI_Info_free(&used));
        MUST(MPI_Comm_free(&comm));
    }
    MUST(MPI_Info_free(&copy));
    STEP("MPI_INFO_ENV");
    MUST(MPI_Info_get_nkeys(MPI_INFO_ENV, &n));
    for (i = 0; i < n; i++) {
        MUST(MPI_Info_get_nthkey(MPI_INFO_ENV, i, key));
        MUST(MPI_Info_get(MPI_INFO_ENV, key, MPI_MAX_INFO_VAL - 1, wide, &flag));
        EQUAL(key, 1, flag);
    }
#if MPI_VERSION >= 4
    STEP("get_string");
    MUST(MPI_Info_create(&info));
    MUST(MPI_Info_set(info, "colour", "yellow"));
    n = 4;
    MUST(MPI_Info_get_string(info, "colour", &n, small, &flag));
    SAME_TEXT("cut", "yel", small);
    EQUAL("room needed", 7, n);
    n = 0;
    MUST(MPI_Info_get_string(info, "colour", &n, NULL, &flag));
    EQUAL("room needed", 7, n);
    EQUAL("flag", 1, flag);
    MUST(MPI_Info_get_string(info, "none", &n, NULL, &flag));
    EQUAL("flag", 0, flag);
    MUST(MPI_Info_free(&info));
    CHECK(MPI_Info_create_env(argc, argv, &info) == MPI_SUCCESS, "create_env");
    MUST(MPI_Info_free(&info));
#endif
    free(wide);
    return test_finish();
}
