/* The tool interface as any tool walks it: every variable, category and enumeration with its texts, before
 * MPI_Init, while MPI runs, and after MPI_Finalize; initialisation is counted. */
#include "../test.h"

/* What a call that takes a text and its length does with both. */
#define TEXT(what, call_null, call_zero, call_short, call_whole)                                            \
    do {                                                                                                    \
        int full = 1, zero = 0, few = 4, room = sizeof text_;                                               \
        memset(text_, 'Z', sizeof text_);                                                                   \
        MUST(call_null);                                                                                    \
        MUST(call_zero);                                                                                    \
        EQUAL(what ": length without a buffer", full, zero);                                                \
        CHECK(text_[0] == 'Z', what ": a text of length 0 was written");                                    \
        MUST(call_short);                                                                                   \
        CHECK(strlen(text_) <= 3 && text_[4] == 'Z', what ": more than 4 bytes were written");              \
        MUST(call_whole);                                                                                   \
        EQUAL(what ": length", full, room);                                                                 \
        EQUAL(what ": strlen + 1", full, (int)strlen(text_) + 1);                                           \
    } while (0)

static char text_[600];

static void walk(void) {
    int n = -1, i, k, at, verbosity, class_, bind, scope, readonly, continuous, atomic, value, items;
    MPI_Datatype type;
    MPI_T_enum enumeration;
    MUST(MPI_T_cvar_get_num(&n));
    for (i = 0; i < n; i++) {
        TEXT("cvar", MPI_T_cvar_get_info(i, NULL, &full, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
             MPI_T_cvar_get_info(i, text_, &zero, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
             MPI_T_cvar_get_info(i, text_, &few, &verbosity, &type, &enumeration, NULL, NULL, &bind, &scope),
             MPI_T_cvar_get_info(i, text_, &room, NULL, NULL, NULL, NULL, NULL, NULL, NULL));
        at = -1;
        MUST(MPI_T_cvar_get_index(text_, &at));
        EQUAL("index of the cvar's name", i, at);
        TEXT("cvar's description", MPI_T_cvar_get_info(i, NULL, NULL, NULL, NULL, NULL, NULL, &full, NULL, NULL),
             MPI_T_cvar_get_info(i, NULL, NULL, NULL, NULL, NULL, text_, &zero, NULL, NULL),
             MPI_T_cvar_get_info(i, NULL, NULL, NULL, NULL, NULL, text_, &few, NULL, NULL),
             MPI_T_cvar_get_info(i, NULL, NULL, NULL, NULL, NULL, text_, &room, NULL, NULL));
    }
    MUST(MPI_T_pvar_get_num(&n));
    for (i = 0; i < n; i++) {
        TEXT("pvar",
             MPI_T_pvar_get_info(i, NULL, &full, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
             MPI_T_pvar_get_info(i, text_, &zero, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
             MPI_T_pvar_get_info(i, text_, &few, &verbosity, &class_, &type, &enumeration, NULL, NULL, &bind,
                                 &readonly, &continuous, &atomic),
             MPI_T_pvar_get_info(i, text_, &room, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL));
        at = -1;
        MUST(MPI_T_pvar_get_index(text_, class_, &at));
        EQUAL("index of the pvar's name", i, at);
        EQUAL("name in another class", MPI_T_ERR_INVALID_NAME,
              MPI_T_pvar_get_index(text_, class_ == MPI_T_PVAR_CLASS_SIZE ? MPI_T_PVAR_CLASS_PERCENTAGE
                                                                          : MPI_T_PVAR_CLASS_SIZE, &at));
        EQUAL("a state is an MPI_INT", class_ == MPI_T_PVAR_CLASS_STATE, type == MPI_INT);
        if (enumeration != MPI_T_ENUM_NULL) {
            TEXT("enumeration", MPI_T_enum_get_info(enumeration, &items, NULL, &full),
                 MPI_T_enum_get_info(enumeration, NULL, text_, &zero),
                 MPI_T_enum_get_info(enumeration, NULL, text_, &few),
                 MPI_T_enum_get_info(enumeration, NULL, text_, &room));
            CHECK(items > 0, "an enumeration of %d items", items);
            for (k = 0; k < items; k++)
                TEXT("item", MPI_T_enum_get_item(enumeration, k, &value, NULL, &full),
                     MPI_T_enum_get_item(enumeration, k, &value, text_, &zero),
                     MPI_T_enum_get_item(enumeration, k, &value, text_, &few),
                     MPI_T_enum_get_item(enumeration, k, &value, text_, &room));
            EQUAL("item that is not there", MPI_T_ERR_INVALID_ITEM,
                  MPI_T_enum_get_item(enumeration, items, &value, NULL, NULL));
            EQUAL("negative item", MPI_T_ERR_INVALID_ITEM, MPI_T_enum_get_item(enumeration, -1, &value, NULL, NULL));
        }
    }
    MUST(MPI_T_category_changed(&at));
}

/* Every category but the first is in exactly one other; members are valid and without repetition. */
static void categories(void) {
    int n, i, k, at, cvars, pvars, children, all_cvars, all_pvars, *seen, list[400];
    MUST(MPI_T_category_get_num(&n));
    MUST(MPI_T_cvar_get_num(&all_cvars));
    MUST(MPI_T_pvar_get_num(&all_pvars));
    seen = calloc((size_t)n + 1, sizeof(int));
    for (i = 0; i < n; i++) {
        TEXT("category", MPI_T_category_get_info(i, NULL, &full, NULL, NULL, &cvars, &pvars, &children),
             MPI_T_category_get_info(i, text_, &zero, NULL, NULL, NULL, NULL, NULL),
             MPI_T_category_get_info(i, text_, &few, NULL, NULL, NULL, NULL, NULL),
             MPI_T_category_get_info(i, text_, &room, NULL, NULL, NULL, NULL, NULL));
        MUST(MPI_T_category_get_index(text_, &at));
        EQUAL("index of the category's name", i, at);
        MUST(MPI_T_category_get_cvars(i, 400, list));
        for (k = 0; k < cvars; k++) CHECK(list[k] >= 0 && list[k] < all_cvars, "cvar %d in a category", list[k]);
        MUST(MPI_T_category_get_pvars(i, 400, list));
        for (k = 0; k < pvars; k++) CHECK(list[k] >= 0 && list[k] < all_pvars, "pvar %d in a category", list[k]);
        list[0] = -7;
        MUST(MPI_T_category_get_pvars(i, 0, list));
        EQUAL("list of length 0", -7, list[0]);
        MUST(MPI_T_category_get_categories(i, 400, list));
        for (k = 0; k < children; k++) {
            CHECK(list[k] > 0 && list[k] < n, "category %d in a category", list[k]);
            if (list[k] > 0 && list[k] < n) seen[list[k]]++;
        }
    }
    for (i = 1; i < n; i++) EQUAL("categories that a category is in", 1, seen[i]);
    free(seen);
}

/* MPI_T calls report by their return code alone, whatever the error handlers are. */
static void refused(void) {
    int n, at;
    MPI_T_cvar_handle cvar = MPI_T_CVAR_HANDLE_NULL;
    MPI_T_pvar_handle handle = MPI_T_PVAR_HANDLE_NULL, other;
    MPI_T_pvar_session session = MPI_T_PVAR_SESSION_NULL, second;
    unsigned long long value = 5;
    MUST(MPI_T_cvar_get_num(&n));
    EQUAL("cvar index", MPI_T_ERR_INVALID_INDEX,
          MPI_T_cvar_get_info(n, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL));
    EQUAL("negative cvar index", MPI_T_ERR_INVALID_INDEX, MPI_T_cvar_handle_alloc(-1, NULL, &cvar, &at));
    EQUAL("cvar name", MPI_T_ERR_INVALID_NAME, MPI_T_cvar_get_index("no such variable", &at));
    EQUAL("cvar handle", MPI_T_ERR_INVALID_HANDLE, MPI_T_cvar_read(cvar, &value));
    EQUAL("freeing a null cvar handle", MPI_T_ERR_INVALID_HANDLE, MPI_T_cvar_handle_free(&cvar));
    MUST(MPI_T_pvar_get_num(&n));
    EQUAL("pvar index", MPI_T_ERR_INVALID_INDEX,
          MPI_T_pvar_get_info(n, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL));
    EQUAL("pvar name", MPI_T_ERR_INVALID_NAME, MPI_T_pvar_get_index("no such variable", MPI_T_PVAR_CLASS_COUNTER, &at));
    EQUAL("session", MPI_T_ERR_INVALID_SESSION, MPI_T_pvar_handle_alloc(session, 0, NULL, &handle, &at));
    EQUAL("freeing a null session", MPI_T_ERR_INVALID_SESSION, MPI_T_pvar_session_free(&session));
    MUST(MPI_T_pvar_session_create(&session));
    MUST(MPI_T_pvar_session_create(&second));
    EQUAL("pvar index of a handle", MPI_T_ERR_INVALID_INDEX, MPI_T_pvar_handle_alloc(session, n, NULL, &handle, &at));
    MUST(MPI_T_pvar_handle_alloc(session, 0, NULL, &handle, &at));
    EQUAL("handle of another session", MPI_T_ERR_INVALID_HANDLE, MPI_T_pvar_read(second, handle, &value));
    EQUAL("reading all handles", MPI_T_ERR_INVALID_HANDLE, MPI_T_pvar_read(session, MPI_T_PVAR_ALL_HANDLES, &value));
    other = handle;
    MUST(MPI_T_pvar_handle_free(session, &handle));
    CHECK(handle == MPI_T_PVAR_HANDLE_NULL, "a freed handle is not null");
    EQUAL("freed handle", MPI_T_ERR_INVALID_HANDLE, MPI_T_pvar_handle_free(session, &other));
    MUST(MPI_T_pvar_session_free(&second));
    MUST(MPI_T_pvar_session_free(&session));
    CHECK(session == MPI_T_PVAR_SESSION_NULL, "a freed session is not null");
    MUST(MPI_T_category_get_num(&n));
    EQUAL("category index", MPI_T_ERR_INVALID_INDEX,
          MPI_T_category_get_info(n, NULL, NULL, NULL, NULL, NULL, NULL, NULL));
    EQUAL("category name", MPI_T_ERR_INVALID_NAME, MPI_T_category_get_index("no such category", &at));
}

int main(int argc, char **argv) {
    int provided = -1, n, code;
    test_watchdog(test_deadline);
    STEP("before MPI_T_init_thread");
    EQUAL("cvar_get_num", MPI_T_ERR_NOT_INITIALIZED, MPI_T_cvar_get_num(&n));
    EQUAL("finalize", MPI_T_ERR_NOT_INITIALIZED, MPI_T_finalize());
    STEP("before MPI_Init");
    MUST(MPI_T_init_thread(MPI_THREAD_SINGLE, &provided));
    CHECK(provided >= MPI_THREAD_SINGLE && provided <= MPI_THREAD_MULTIPLE, "thread level %d", provided);
    MUST(MPI_T_init_thread(MPI_THREAD_MULTIPLE, &provided));
    MUST(MPI_T_finalize());
    walk();
    categories();
    refused();
    MPI_Init(&argc, &argv);
    test_started();
    STEP("while MPI runs");
    walk();
    categories();
    refused();
    code = test_finish();
    STEP("after MPI_Finalize");
    test_errors = 0;
    walk();
    categories();
    refused();
    MUST(MPI_T_finalize());
    EQUAL("after the last MPI_T_finalize", MPI_T_ERR_NOT_INITIALIZED, MPI_T_cvar_get_num(&n));
    MUST(MPI_T_init_thread(MPI_THREAD_SINGLE, &provided));
    walk();
    MUST(MPI_T_finalize());
    return code || test_errors;
}
