/* What anympi's variables say: messages and bytes by protocol, queues, collectives by algorithm, and the
 * handles' own histories: started, stopped, written, reset, apart from other sessions. Knobs can be read
 * and written. */
#include "../test.h"
#include "turns.h"
#include <time.h>

typedef unsigned long long number;

static MPI_T_pvar_session session, second;

static MPI_T_pvar_handle handle_in(MPI_T_pvar_session in, const char *name, int class_) {
    int index = -1, count = -1;
    MPI_T_pvar_handle handle = MPI_T_PVAR_HANDLE_NULL;
    MUST(MPI_T_pvar_get_index(name, class_, &index));
    MUST(MPI_T_pvar_handle_alloc(in, index, NULL, &handle, &count));
    EQUAL("elements", 1, count);
    return handle;
}

static number read_of(MPI_T_pvar_session in, MPI_T_pvar_handle handle) {
    number value = 0xdeadbeef;
    MUST(MPI_T_pvar_read(in, handle, &value));
    return value;
}

static number of(MPI_T_pvar_handle handle) { return read_of(session, handle); }

static MPI_T_pvar_handle counter(const char *name) { return handle_in(session, name, MPI_T_PVAR_CLASS_COUNTER); }
static MPI_T_pvar_handle sum(const char *name) { return handle_in(session, name, MPI_T_PVAR_CLASS_AGGREGATE); }
static MPI_T_pvar_handle level(const char *name) { return handle_in(session, name, MPI_T_PVAR_CLASS_LEVEL); }

/* Messages to oneself, so that nothing depends on when others run. */
static void to_oneself(const void *out, int bytes, void *in, int tag) {
    MPI_Request request;
    MUST(MPI_Irecv(in, bytes, MPI_BYTE, 0, tag, MPI_COMM_SELF, &request));
    MUST(MPI_Send(out, bytes, MPI_BYTE, 0, tag, MPI_COMM_SELF));
    MUST(MPI_Wait(&request, MPI_STATUS_IGNORE));
}

static void drain(MPI_Comm comm) {
    int flag;
    MUST(MPI_Iprobe(MPI_ANY_SOURCE, 99, comm, &flag, MPI_STATUS_IGNORE));
}

static void protocols(void) {
    enum { LONG = 1 << 20 };
    char *out = test_alloc(LONG), *in = test_alloc(LONG);
    unsigned long long short_frames;
    int i;
    MPI_T_pvar_handle sent = counter("eager_messages_sent"), bytes_sent = sum("eager_bytes_sent"),
                      received = counter("eager_messages_received"), bytes_received = sum("eager_bytes_received"),
                      long_sent = counter("announced_messages_sent"), long_bytes = sum("announced_bytes_sent"),
                      long_received = counter("announced_messages_received"),
                      long_bytes_received = sum("announced_bytes_received"), frames = counter("frames_sent");
    MUST(MPI_T_pvar_start(session, MPI_T_PVAR_ALL_HANDLES));
    memset(out, 1, LONG);
    for (i = 0; i < 300; i++) to_oneself(out, 8, in, i);
    for (i = 0; i < 3; i++) to_oneself(out, 5000, in, i);
    EQUAL("eager messages sent", 303, of(sent));
    EQUAL("eager bytes sent", 300 * 8 + 3 * 5000, of(bytes_sent));
    EQUAL("eager messages received", 303, of(received));
    EQUAL("eager bytes received", 300 * 8 + 3 * 5000, of(bytes_received));
    short_frames = of(frames);
    CHECK(short_frames >= 303, "frames of 303 messages: %llu", short_frames);
    EQUAL("announced messages sent", 0, of(long_sent));
    for (i = 0; i < 2; i++) to_oneself(out, LONG, in, i);
    EQUAL("announced messages sent", 2, of(long_sent));
    EQUAL("announced bytes sent", 2 * LONG, of(long_bytes));
    EQUAL("announced messages received", 2, of(long_received));
    EQUAL("announced bytes received", 2 * LONG, of(long_bytes_received));
    EQUAL("eager messages sent", 303, of(sent));
    CHECK(of(frames) >= short_frames + 2, "frames of announced messages: %llu in all", of(frames));
    free(out);
    free(in);
}

static void queues(void) {
    int word = 3, i, got[5], one = 1;
    number value;
    MPI_Request request[5];
    MPI_T_pvar_handle posted = level("posted_queue_length"), unexpected = level("unexpected_queue_length"),
                      bytes = level("unexpected_queue_bytes"), came = counter("unexpected_messages"),
                      copied = sum("unexpected_bytes_copied"), most, requests = level("requests");
    number before = of(posted), live = of(requests);
    most = handle_in(session, "unexpected_queue_length_max", MPI_T_PVAR_CLASS_HIGHWATERMARK);
    EQUAL("a level cannot be started", MPI_T_ERR_PVAR_NO_STARTSTOP, MPI_T_pvar_start(session, posted));
    EQUAL("a level cannot be stopped", MPI_T_ERR_PVAR_NO_STARTSTOP, MPI_T_pvar_stop(session, posted));
    EQUAL("a level cannot be reset", MPI_T_ERR_PVAR_NO_WRITE, MPI_T_pvar_reset(session, posted));
    EQUAL("a level cannot be written", MPI_T_ERR_PVAR_NO_WRITE, MPI_T_pvar_write(session, posted, &before));
    EQUAL("a level cannot be read and reset", MPI_T_ERR_PVAR_NO_WRITE, MPI_T_pvar_readreset(session, posted, &value));
    MUST(MPI_T_pvar_start(session, came));
    MUST(MPI_T_pvar_start(session, copied));
    MUST(MPI_T_pvar_start(session, most));
    EQUAL("no unexpected messages", 0, of(unexpected));
    for (i = 0; i < 5; i++) MUST(MPI_Irecv(&got[i], 1, MPI_INT, 0, i, MPI_COMM_SELF, &request[i]));
    EQUAL("posted receives", before + 5, of(posted));
    EQUAL("live requests", live + 5, of(requests));
    for (i = 0; i < 5; i++) MUST(MPI_Send(&word, 1, MPI_INT, 0, i, MPI_COMM_SELF));
    MUST(MPI_Waitall(5, request, MPI_STATUSES_IGNORE));
    EQUAL("posted receives", before, of(posted));
    EQUAL("none was unexpected", 0, of(came));
    for (i = 0; i < 4; i++) MUST(MPI_Send(&word, 1, MPI_INT, 0, i, MPI_COMM_SELF));
    drain(MPI_COMM_SELF);
    EQUAL("unexpected messages", 4, of(unexpected));
    EQUAL("unexpected bytes", 4 * sizeof(int), of(bytes));
    for (i = 0; i < 4; i++) MUST(MPI_Recv(&got[0], 1, MPI_INT, 0, i, MPI_COMM_SELF, MPI_STATUS_IGNORE));
    MUST(MPI_Send(&word, 1, MPI_INT, 0, 0, MPI_COMM_SELF));
    drain(MPI_COMM_SELF);
    EQUAL("unexpected messages", one, of(unexpected));
    EQUAL("most unexpected messages", 4, of(most));
    EQUAL("unexpected so far", 5, of(came));
    EQUAL("copied", 5 * sizeof(int), of(copied));
    MUST(MPI_T_pvar_readreset(session, most, &value));
    EQUAL("most unexpected messages", 4, value);
    EQUAL("the watermark starts at what is", 1, of(most));
    MUST(MPI_Recv(&got[0], 1, MPI_INT, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE));
    EQUAL("the watermark stays", 1, of(most));
    MUST(MPI_T_pvar_reset(session, most));
    EQUAL("the watermark from nothing", 0, of(most));
}

/* Two sessions, one variable: each handle counts while it is started. */
static void histories(void) {
    int word = 1;
    number value = 1000;
    MPI_T_pvar_handle a = counter("eager_messages_sent"),
                      b = handle_in(second, "eager_messages_sent", MPI_T_PVAR_CLASS_COUNTER);
    EQUAL("starting value", 0, of(a));
    to_oneself(&word, 4, &word, 0);
    EQUAL("not started", 0, of(a));
    MUST(MPI_T_pvar_start(session, a));
    to_oneself(&word, 4, &word, 0);
    MUST(MPI_T_pvar_start(second, b));
    to_oneself(&word, 4, &word, 0);
    MUST(MPI_T_pvar_stop(session, a));
    to_oneself(&word, 4, &word, 0);
    EQUAL("while started", 2, of(a));
    EQUAL("in the other session", 2, read_of(second, b));
    MUST(MPI_T_pvar_start(session, a));
    MUST(MPI_T_pvar_write(session, a, &value));
    to_oneself(&word, 4, &word, 0);
    EQUAL("from a written value on", 1001, of(a));
    MUST(MPI_T_pvar_readreset(session, a, &value));
    EQUAL("read and reset", 1001, value);
    EQUAL("after reset", 0, of(a));
    EQUAL("reset in another session", 3, read_of(second, b));
    to_oneself(&word, 4, &word, 0);
    EQUAL("counting on", 1, of(a));
    MUST(MPI_T_pvar_reset(session, MPI_T_PVAR_ALL_HANDLES));
    EQUAL("all reset", 0, of(a));
    EQUAL("all of one session", 4, read_of(second, b));
    MUST(MPI_T_pvar_stop(session, MPI_T_PVAR_ALL_HANDLES));
    to_oneself(&word, 4, &word, 0);
    EQUAL("all stopped", 0, of(a));
}

static void others(void) {
    int index, state = -1, word = 1, sum_ = 0;
    double seconds = -1;
    number before;
    MPI_Comm comm;
    MPI_T_pvar_handle asleep = handle_in(session, "time_asleep", MPI_T_PVAR_CLASS_TIMER),
                      phase = handle_in(session, "library_phase", MPI_T_PVAR_CLASS_STATE),
                      doubling = counter("allreduce_recursive_doubling"),
                      shared = counter("allreduce_shared"), composed = counter("allreduce_hierarchical"), comms = level("communicators"),
                      ready = sum("partitioned_bytes_sent");
    MUST(MPI_T_pvar_start(session, MPI_T_PVAR_ALL_HANDLES));
    MUST(MPI_T_pvar_read(session, phase, &state));
    EQUAL("phase", 1, state);
    for (index = 0; index < 3; index++) MUST(MPI_Allreduce(&word, &sum_, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    if (test_size > 1)
        EQUAL("allreduces by messages, then through memory or by hosts", 3, of(doubling) + of(shared) + of(composed));
    before = of(comms);
    MUST(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    EQUAL("communicators", before + 1, of(comms));
    MUST(MPI_Comm_free(&comm));
    EQUAL("communicators", before, of(comms));
    /* The last rank lets the others sleep. */
    if (test_rank == test_size - 1 && test_size > 1) {
        struct timespec nap = {0, 300000000};
        nanosleep(&nap, NULL);
    }
    MUST(MPI_Barrier(MPI_COMM_WORLD));
    MUST(MPI_T_pvar_read(session, asleep, &seconds));
    CHECK(seconds >= 0 && seconds < 60, "asleep for %g seconds", seconds);
    if (test_rank != test_size - 1) CHECK(seconds > 0.1, "asleep for %g seconds of 0.3", seconds);
    seconds = 2.5;
    MUST(MPI_T_pvar_stop(session, asleep));
    MUST(MPI_T_pvar_write(session, asleep, &seconds));
    seconds = 0;
    MUST(MPI_T_pvar_read(session, asleep, &seconds));
    CHECK(seconds > 2.499 && seconds < 2.501, "2.5 seconds became %g", seconds);
#if MPI_VERSION >= 4
    {
        char out[300], in[300];
        MPI_Request request[2];
        memset(out, 5, sizeof out);
        MUST(MPI_Psend_init(out, 3, 100, MPI_BYTE, 0, 0, MPI_COMM_SELF, MPI_INFO_NULL, &request[0]));
        MUST(MPI_Precv_init(in, 3, 100, MPI_BYTE, 0, 0, MPI_COMM_SELF, MPI_INFO_NULL, &request[1]));
        MUST(MPI_Startall(2, request));
        MUST(MPI_Pready_range(0, 2, request[0]));
        MUST(MPI_Waitall(2, request, MPI_STATUSES_IGNORE));
        EQUAL("bytes of partitioned messages", 300, of(ready));
        MUST(MPI_Request_free(&request[0]));
        MUST(MPI_Request_free(&request[1]));
    }
#else
    EQUAL("bytes of partitioned messages", 0, of(ready));
#endif
}

static number knob(const char *name, const number *write) {
    int index = -1, count = -1, scope = -1, bind = -1;
    number value = 1;
    MPI_Datatype type;
    MPI_T_cvar_handle handle;
    MUST(MPI_T_cvar_get_index(name, &index));
    MUST(MPI_T_cvar_get_info(index, NULL, NULL, NULL, &type, NULL, NULL, NULL, &bind, &scope));
    CHECK(type == MPI_UNSIGNED_LONG_LONG, "%s has another type", name);
    EQUAL("bind", MPI_T_BIND_NO_OBJECT, bind);
    EQUAL("scope", MPI_T_SCOPE_LOCAL, scope);
    MUST(MPI_T_cvar_handle_alloc(index, NULL, &handle, &count));
    EQUAL("elements", 1, count);
    if (write) MUST(MPI_T_cvar_write(handle, write));
    MUST(MPI_T_cvar_read(handle, &value));
    EQUAL("null pointer", MPI_T_ERR_INVALID, MPI_T_cvar_write(handle, NULL));
    MUST(MPI_T_cvar_handle_free(&handle));
    CHECK(handle == MPI_T_CVAR_HANDLE_NULL, "a freed handle is not null");
    return value;
}

int main(int argc, char **argv) {
    int provided, i, mark[2] = {0, 0}, code;
    number seven = 7, zero = 0;
    MPI_T_pvar_handle left;
    test_watchdog(test_deadline);
    MUST(MPI_T_init_thread(MPI_THREAD_SINGLE, &provided));
    STEP("knobs before MPI_Init");
    EQUAL("from the environment", 123, knob("MPI_ANYMPI_SLEEP", NULL));
    EQUAL("written", 7, knob("MPI_ANYMPI_SPIN", &seven));
    MPI_Init(&argc, &argv);
    test_started();
    MUST(MPI_T_pvar_session_create(&session));
    MUST(MPI_T_pvar_session_create(&second));
    STEP("knobs");
    EQUAL("still written", 7, knob("MPI_ANYMPI_SPIN", NULL));
    EQUAL("written", 0, knob("MPI_ANYMPI_CROWDED_SPIN", &zero));
    EQUAL("written", 7, knob("MPI_ANYMPI_SLEEP", &seven));
    for (i = 0; i < 100; i++)
        MUST(MPI_Sendrecv(&i, 1, MPI_INT, (test_rank + 1) % test_size, 0, mark, 1, MPI_INT,
                          (test_rank + test_size - 1) % test_size, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    turn_begins();
    STEP("protocols");
    protocols();
    STEP("queues");
    queues();
    STEP("histories");
    histories();
    STEP("turns of the others");
    turn_ends();
    STEP("others");
    others();
    left = counter("eager_messages_sent");
    MUST(MPI_T_pvar_session_free(&second));
    code = test_finish();
    STEP("after MPI_Finalize");
    EQUAL("still written", 7, knob("MPI_ANYMPI_SPIN", NULL));
    MUST(MPI_T_pvar_start(session, left));
    EQUAL("nothing more is sent", 0, of(left));
    MUST(MPI_T_pvar_session_free(&session));
    MUST(MPI_T_finalize());
    return code || test_errors;
}
