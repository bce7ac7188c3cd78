/* Attributes on communicators and datatypes: predefined values, keyvals with copy and delete
 * callbacks, what dup copies, when delete is called and in which order, callbacks that fail. */
#include "../test.h"

static char trace[400];
static int refuse;

static void note(const char *format, int a, long b) {
    size_t used = strlen(trace);
    snprintf(trace + used, sizeof trace - used, format, a, b);
}

static int copy(MPI_Comm comm, int keyval, void *extra, void *in, void *out, int *flag) {
    (void)comm;
    (void)keyval;
    note("copy %d %ld;", *(int *)extra, (long)in);
    *(void **)out = (char *)in + 1;
    *flag = (long)in < 100;
    return refuse ? MPI_ERR_OTHER : MPI_SUCCESS;
}

static int delete_(MPI_Comm comm, int keyval, void *value, void *extra) {
    (void)comm;
    (void)keyval;
    note("delete %d %ld;", *(int *)extra, (long)value);
    return refuse ? MPI_ERR_OTHER : MPI_SUCCESS;
}

static int type_copy(MPI_Datatype type, int keyval, void *extra, void *in, void *out, int *flag) {
    (void)type;
    (void)keyval;
    (void)extra;
    note("type copy %d %ld;", 0, (long)in);
    *(void **)out = in;
    *flag = 1;
    return MPI_SUCCESS;
}

static int type_delete(MPI_Datatype type, int keyval, void *value, void *extra) {
    (void)type;
    (void)keyval;
    (void)extra;
    note("type delete %d %ld;", 0, (long)value);
    return MPI_SUCCESS;
}

static void predefined(void) {
    int *value, flag, key;
    STEP("predefined");
    MUST(MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &value, &flag));
    CHECK(flag && *value >= 32767, "MPI_TAG_UB");
    MUST(MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_HOST, &value, &flag));
    if (flag) CHECK(*value == MPI_PROC_NULL || (*value >= 0 && *value < test_size), "MPI_HOST is %d", *value);
    MUST(MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_IO, &value, &flag));
    CHECK(flag && (*value == MPI_ANY_SOURCE || *value == MPI_PROC_NULL || (*value >= 0 && *value < test_size)), "MPI_IO");
    MUST(MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_WTIME_IS_GLOBAL, &value, &flag));
    if (flag) CHECK(*value == 0 || *value == 1, "MPI_WTIME_IS_GLOBAL is %d", *value);
    MUST(MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_UNIVERSE_SIZE, &value, &flag));
    if (flag) CHECK(*value >= 1, "MPI_UNIVERSE_SIZE is %d", *value);
    MUST(MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_APPNUM, &value, &flag));
    if (flag) EQUAL("MPI_APPNUM", 0, *value);
    MUST(MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_LASTUSEDCODE, &value, &flag));
    CHECK(flag && *value >= MPI_ERR_LASTCODE, "MPI_LASTUSEDCODE");
    MUST(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &key, NULL));
    value = (int *)trace;
    MUST(MPI_Comm_get_attr(MPI_COMM_WORLD, key, &value, &flag));
    EQUAL("not set", 0, flag);
    MUST(MPI_Comm_free_keyval(&key));
    EQUAL("freed keyval", MPI_KEYVAL_INVALID, key);
}

static void callbacks(void) {
    int key[3], extra[3] = {1, 2, 3}, flag, i, null_key, dup_key;
    void *value;
    MPI_Comm comm, other;
    STEP("callbacks");
    MUST(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    for (i = 0; i < 3; i++) MUST(MPI_Comm_create_keyval(copy, delete_, &key[i], &extra[i]));
    MUST(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &null_key, NULL));
    MUST(MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, &dup_key, NULL));
    MUST(MPI_Comm_set_attr(comm, key[0], (void *)10));
    MUST(MPI_Comm_set_attr(comm, key[1], (void *)500));
    MUST(MPI_Comm_set_attr(comm, null_key, (void *)7));
    MUST(MPI_Comm_set_attr(comm, dup_key, (void *)8));
    SAME_TEXT("set calls nothing", "", trace);
    MUST(MPI_Comm_get_attr(comm, key[0], &value, &flag));
    CHECK(flag && value == (void *)10, "get after set");
    MUST(MPI_Comm_set_attr(comm, key[0], (void *)20));
    SAME_TEXT("set again deletes the old value", "delete 1 10;", trace);
    trace[0] = 0;
    MUST(MPI_Comm_dup(comm, &other));
    if (strcmp(trace, "copy 2 500;copy 1 20;") != 0) SAME_TEXT("dup copies", "copy 1 20;copy 2 500;", trace);
    trace[0] = 0;
    MUST(MPI_Comm_get_attr(other, key[0], &value, &flag));
    CHECK(flag && value == (void *)21, "the copy is what the callback made");
    MUST(MPI_Comm_get_attr(other, key[1], &value, &flag));
    EQUAL("flag 0 copies nothing", 0, flag);
    MUST(MPI_Comm_get_attr(other, null_key, &value, &flag));
    EQUAL("MPI_COMM_NULL_COPY_FN copies nothing", 0, flag);
    MUST(MPI_Comm_get_attr(other, dup_key, &value, &flag));
    CHECK(flag && value == (void *)8, "MPI_COMM_DUP_FN copies");
    MUST(MPI_Comm_delete_attr(comm, key[1]));
    SAME_TEXT("delete", "delete 2 500;", trace);
    trace[0] = 0;
    MUST(MPI_Comm_get_attr(comm, key[1], &value, &flag));
    EQUAL("deleted", 0, flag);
    /* A keyval that is freed works on until its last attribute is gone. */
    MUST(MPI_Comm_set_attr(comm, key[2], (void *)30));
    i = key[2];
    MUST(MPI_Comm_free_keyval(&i));
    MUST(MPI_Comm_free(&comm));
    if (strcmp(trace, "delete 1 20;delete 3 30;") != 0)
        SAME_TEXT("free deletes all", "delete 3 30;delete 1 20;", trace);
    trace[0] = 0;
    MUST(MPI_Comm_split(other, 0, 0, &comm));
    SAME_TEXT("split copies nothing", "", trace);
    MUST(MPI_Comm_free(&comm));
    MUST(MPI_Comm_free(&other));
    SAME_TEXT("free", "delete 1 21;", trace);
    trace[0] = 0;
    for (i = 0; i < 2; i++) MUST(MPI_Comm_free_keyval(&key[i]));
    MUST(MPI_Comm_free_keyval(&null_key));
    MUST(MPI_Comm_free_keyval(&dup_key));
}

static void failing(void) {
    int key, extra = 4, flag;
    void *value;
    MPI_Comm comm, other = MPI_COMM_NULL;
    STEP("callbacks that fail");
    MUST(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    MUST(MPI_Comm_create_keyval(copy, delete_, &key, &extra));
    MUST(MPI_Comm_set_attr(comm, key, (void *)1));
    refuse = 1;
    CHECK(MPI_Comm_delete_attr(comm, key) != MPI_SUCCESS, "delete_attr succeeded though the callback failed");
    CHECK(MPI_Comm_dup(comm, &other) != MPI_SUCCESS, "dup succeeded though the copy callback failed");
    refuse = 0;
    MUST(MPI_Comm_get_attr(comm, key, &value, &flag));
    EQUAL("still set", 1, flag);
    MUST(MPI_Comm_free(&comm));
    MUST(MPI_Comm_free_keyval(&key));
    trace[0] = 0;
}

static void on_types(void) {
    int key, flag;
    void *value;
    MPI_Datatype type, other;
    STEP("datatypes");
    MUST(MPI_Type_create_keyval(type_copy, type_delete, &key, NULL));
    MUST(MPI_Type_contiguous(2, MPI_INT, &type));
    MUST(MPI_Type_set_attr(type, key, (void *)5));
    MUST(MPI_Type_dup(type, &other));
    SAME_TEXT("dup", "type copy 0 5;", trace);
    MUST(MPI_Type_get_attr(other, key, &value, &flag));
    CHECK(flag && value == (void *)5, "copied");
    MUST(MPI_Type_delete_attr(other, key));
    MUST(MPI_Type_free(&type));
    MUST(MPI_Type_free(&other));
    /* The duplicate may keep the first type, so only now are both gone. */
    SAME_TEXT("delete and free", "type copy 0 5;type delete 0 5;type delete 0 5;", trace);
    MUST(MPI_Type_set_attr(MPI_INT, key, (void *)6));
    MUST(MPI_Type_get_attr(MPI_INT, key, &value, &flag));
    CHECK(flag && value == (void *)6, "on a predefined type");
    MUST(MPI_Type_delete_attr(MPI_INT, key));
    MUST(MPI_Type_free_keyval(&key));
    trace[0] = 0;
}

/* A hundred attributes on one communicator, set and looked up in different orders. */
static void hundred(void) {
    int key[100], flag, i;
    void *value;
    MPI_Comm comm;
    STEP("a hundred");
    MUST(MPI_Comm_dup(MPI_COMM_SELF, &comm));
    for (i = 0; i < 100; i++) {
        MUST(MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, &key[i], NULL));
        MUST(MPI_Comm_set_attr(comm, key[i], (void *)(long)(i + 1)));
    }
    for (i = 0; i < 100; i += 2) MUST(MPI_Comm_delete_attr(comm, key[i]));
    for (i = 99; i >= 0; i--) {
        MUST(MPI_Comm_get_attr(comm, key[i], &value, &flag));
        EQUAL("present", i % 2, flag);
        if (flag) EQUAL("value", i + 1, (long)value);
        MUST(MPI_Comm_free_keyval(&key[i]));
    }
    MUST(MPI_Comm_free(&comm));
}

int main(int argc, char **argv) {
    test_start(&argc, &argv);
    predefined();
    callbacks();
    failing();
    on_types();
    hundred();
    return test_finish();
}
