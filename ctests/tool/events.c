/* Events of the tool interface: a function hears of every unexpected message, with its elements, time and
 * source, may call MPI itself, and hears nothing any more once its registration is freed. Where the header
 * knows no events there is nothing to test. */
#include "../test.h"
#include "turns.h"

#if MPI_VERSION >= 4

static int heard, freed, tags[16];
static MPI_T_event_instance kept;
static int user_data = 5;

static void hear(MPI_T_event_instance instance, MPI_T_event_registration registration, MPI_T_cb_safety safety,
                 void *data) {
    int source = -1, tag = -1, where = -1, echo = 0;
    unsigned context = 1u << 31;
    unsigned long long bytes = 0;
    char whole[24];
    MPI_Count time = -1, now = -1;
    MPI_T_event_registration same = registration;
    (void)same;
    EQUAL("user data", 5, *(int *)data);
    EQUAL("safety", MPI_T_CB_REQUIRE_NONE, safety);
    MUST(MPI_T_event_read(instance, 0, &source));
    MUST(MPI_T_event_read(instance, 1, &tag));
    MUST(MPI_T_event_read(instance, 2, &context));
    MUST(MPI_T_event_read(instance, 3, &bytes));
    EQUAL("element that is not there", MPI_T_ERR_INVALID_INDEX, MPI_T_event_read(instance, 4, &bytes));
    EQUAL("negative element", MPI_T_ERR_INVALID_INDEX, MPI_T_event_read(instance, -1, &bytes));
    EQUAL("null pointer", MPI_T_ERR_INVALID, MPI_T_event_read(instance, 0, NULL));
    MUST(MPI_T_event_copy(instance, whole));
    CHECK(memcmp(whole, &source, 4) == 0 && memcmp(whole + 4, &tag, 4) == 0 && memcmp(whole + 8, &context, 4) == 0 &&
              memcmp(whole + 16, &bytes, 8) == 0,
          "the copy has other elements");
    MUST(MPI_T_event_get_source(instance, &where));
    EQUAL("source", 0, where);
    MUST(MPI_T_event_get_timestamp(instance, &time));
    MUST(MPI_T_source_get_timestamp(where, &now));
    CHECK(time > 0 && time <= now, "event at %lld, now %lld", (long long)time, (long long)now);
    if (tag >= 50) return; /* of this function's own messages, or of other ranks */
    EQUAL("rank", 0, source);
    EQUAL("bytes", tag, bytes);
    if (heard < 16) tags[heard] = tag;
    heard++;
    kept = instance;
    /* A function without restrictions may call MPI. */
    MUST(MPI_Sendrecv(&tag, 1, MPI_INT, 0, 60, &echo, 1, MPI_INT, 0, 60, MPI_COMM_SELF, MPI_STATUS_IGNORE));
    EQUAL("message within the function", tag, echo);
}

static void restricted(MPI_T_event_instance instance, MPI_T_event_registration registration, MPI_T_cb_safety safety,
                       void *data) {
    (void)instance, (void)registration, (void)safety, (void)data;
    CHECK(0, "the function of a higher level was called beside the one of the lowest");
}

static void end(MPI_T_event_registration registration, MPI_T_cb_safety safety, void *data) {
    (void)registration, (void)safety;
    EQUAL("user data", 5, *(int *)data);
    freed++;
}

static void dropped(MPI_Count count, MPI_T_event_registration registration, int source, MPI_T_cb_safety safety,
                    void *data) {
    (void)registration, (void)source, (void)safety, (void)data;
    CHECK(0, "%lld events were dropped", (long long)count);
}

static void send_unexpected(int tag) {
    char data[50] = {0};
    int flag;
    MUST(MPI_Send(data, tag, MPI_BYTE, 0, tag, MPI_COMM_SELF));
    for (flag = 0; !flag;) MUST(MPI_Iprobe(0, tag, MPI_COMM_SELF, &flag, MPI_STATUS_IGNORE));
}

static void receive(int tag) {
    char data[50];
    MUST(MPI_Recv(data, tag, MPI_BYTE, 0, tag, MPI_COMM_SELF, MPI_STATUS_IGNORE));
}

static void describe(void) {
    int n = -1, index = -1, length, elements = 2, verbosity = -1, bind = -1, items = 0, i;
    char name[100];
    MPI_Datatype types[4] = {MPI_DATATYPE_NULL, MPI_DATATYPE_NULL, MPI_DATATYPE_NULL, MPI_DATATYPE_NULL};
    MPI_Aint displacements[4] = {-1, -1, -1, -1};
    MPI_T_enum names;
    MPI_Info info;
    MPI_Count ticks = 0, most = 0;
    MPI_T_source_order order;
    MUST(MPI_T_event_get_num(&n));
    EQUAL("event types", 1, n);
    MUST(MPI_T_event_get_index("unexpected_message", &index));
    EQUAL("index", 0, index);
    EQUAL("name", MPI_T_ERR_INVALID_NAME, MPI_T_event_get_index("no such event", &index));
    MUST(MPI_T_event_get_info(0, NULL, NULL, NULL, types, displacements, &elements, NULL, NULL, NULL, NULL, NULL));
    EQUAL("elements", 4, elements);
    CHECK(types[1] == MPI_INT && types[2] == MPI_DATATYPE_NULL, "2 types were asked for");
    length = sizeof name;
    MUST(MPI_T_event_get_info(0, name, &length, &verbosity, types, displacements, &elements, &names, &info, NULL, NULL,
                              &bind));
    SAME_TEXT("name", "unexpected_message", name);
    EQUAL("bind", MPI_T_BIND_NO_OBJECT, bind);
    CHECK(types[3] == MPI_UNSIGNED_LONG_LONG, "type of the last element");
    EQUAL("displacement", 16, displacements[3]);
    MUST(MPI_Info_free(&info));
    MUST(MPI_T_enum_get_info(names, &items, NULL, NULL));
    EQUAL("names of elements", 4, items);
    for (i = 0; i < 4; i++) {
        int value = -1;
        length = sizeof name;
        MUST(MPI_T_enum_get_item(names, i, &value, name, &length));
        EQUAL("element", i, value);
    }
    SAME_TEXT("last element", "bytes", name);
    EQUAL("event index", MPI_T_ERR_INVALID_INDEX,
          MPI_T_event_get_info(1, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL));
    MUST(MPI_T_source_get_num(&n));
    EQUAL("sources", 1, n);
    length = sizeof name;
    MUST(MPI_T_source_get_info(0, name, &length, NULL, NULL, &order, &ticks, &most, NULL));
    EQUAL("order", MPI_T_SOURCE_ORDERED, order);
    EQUAL("ticks", 1000000000, ticks);
    CHECK(most > ticks, "most ticks %lld", (long long)most);
    EQUAL("source index", MPI_T_ERR_INVALID_INDEX, MPI_T_source_get_timestamp(1, &ticks));
    MUST(MPI_T_category_get_index("queues", &index));
    MUST(MPI_T_category_get_num_events(index, &n));
    EQUAL("events of the category", 1, n);
    n = -1;
    MUST(MPI_T_category_get_events(index, 1, &n));
    EQUAL("event of the category", 0, n);
}

int main(int argc, char **argv) {
    int provided, early, code, count = 0;
    MPI_T_event_registration registration, other, gone;
    MPI_Info info;
    test_watchdog(test_deadline);
    MUST(MPI_T_init_thread(MPI_THREAD_SINGLE, &provided));
    for (early = 0; early < 2; early++) {
        if (early) { /* the second time while MPI runs */
            MPI_Init(&argc, &argv);
            test_started();
            STEP("no registration has a function");
            MUST(MPI_T_event_handle_free(registration, &user_data, end));
            EQUAL("end of a registration", 1, freed);
        }
        MUST(MPI_T_event_handle_alloc(0, NULL, MPI_INFO_NULL, &registration));
        MUST(MPI_T_event_set_dropped_handler(registration, dropped));
        MUST(MPI_T_event_register_callback(registration, MPI_T_CB_REQUIRE_MPI_RESTRICTED, MPI_INFO_NULL, &user_data,
                                           restricted));
        MUST(MPI_T_event_register_callback(registration, MPI_T_CB_REQUIRE_NONE, MPI_INFO_NULL, &user_data, hear));
    }
    describe();
    STEP("hints");
    MUST(MPI_T_event_handle_get_info(registration, &info));
    MUST(MPI_Info_get_nkeys(info, &count));
    EQUAL("hints that are used", 0, count);
    MUST(MPI_T_event_handle_set_info(registration, info));
    MUST(MPI_T_event_callback_set_info(registration, MPI_T_CB_REQUIRE_NONE, info));
    MUST(MPI_Info_free(&info));
    MUST(MPI_T_event_callback_get_info(registration, MPI_T_CB_REQUIRE_NONE, &info));
    MUST(MPI_Info_free(&info));
    EQUAL("level of safety", MPI_T_ERR_INVALID,
          MPI_T_event_callback_get_info(registration, (MPI_T_cb_safety)7, &info));
    EQUAL("event index", MPI_T_ERR_INVALID_INDEX, MPI_T_event_handle_alloc(1, NULL, MPI_INFO_NULL, &other));

    turn_begins();
    STEP("unexpected messages");
    send_unexpected(3);
    send_unexpected(1);
    EQUAL("events", 2, heard);
    EQUAL("first", 3, tags[0]);
    EQUAL("second", 1, tags[1]);
    EQUAL("an event after its function", MPI_T_ERR_INVALID_HANDLE, MPI_T_event_read(kept, 0, &count));
    receive(3);
    receive(1);
    EQUAL("a receive is no event", 2, heard);

    STEP("two registrations");
    MUST(MPI_T_event_handle_alloc(0, NULL, MPI_INFO_NULL, &other));
    MUST(MPI_T_event_register_callback(other, MPI_T_CB_REQUIRE_THREAD_SAFE, MPI_INFO_NULL, &user_data, hear));
    send_unexpected(8);
    EQUAL("events", 4, heard);
    receive(8);
    MUST(MPI_T_event_register_callback(other, MPI_T_CB_REQUIRE_THREAD_SAFE, MPI_INFO_NULL, NULL, NULL));
    send_unexpected(9);
    EQUAL("events without the function that was taken back", 5, heard);
    receive(9);
    MUST(MPI_T_event_handle_free(other, NULL, NULL));

    STEP("freed");
    gone = registration;
    MUST(MPI_T_event_handle_free(registration, &user_data, end));
    EQUAL("end of a registration", 2, freed);
    EQUAL("freed registration", MPI_T_ERR_INVALID_HANDLE, MPI_T_event_handle_free(gone, NULL, NULL));
    send_unexpected(4);
    EQUAL("events after the end", 5, heard);
    receive(4);
    STEP("turns of the others");
    turn_ends();
    code = test_finish();
    MUST(MPI_T_finalize());
    return code || test_errors;
}

#else

int main(int argc, char **argv) {
    test_start(&argc, &argv);
    return test_finish();
}

#endif
