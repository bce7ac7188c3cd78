/* Tool calls of several threads beside each other's and beside messages, at MPI_THREAD_MULTIPLE: counts
 * never go back, every session sees at least its own messages, and handles stay apart. With the argument
 * `early` the tool asks for threads before MPI_Init, which asks for none: then only the tool has them. */
#include "../test.h"
#include <pthread.h>

enum { THREADS = 3, ROUNDS = 60, MESSAGES = 20 };

static int number_of[THREADS];
static int early;

static void *watch(void *arg) {
    int me = *(int *)arg, round, i, index, length = 0, word = 0;
    unsigned long long before, after;
    MPI_T_pvar_session session;
    MPI_T_pvar_handle handle;
    MUST(MPI_T_pvar_get_index("eager_messages_sent", MPI_T_PVAR_CLASS_COUNTER, &index));
    for (round = 0; round < ROUNDS; round++) {
        MUST(MPI_T_pvar_session_create(&session));
        MUST(MPI_T_pvar_handle_alloc(session, index, NULL, &handle, &length));
        MUST(MPI_T_pvar_start(session, handle));
        for (i = 0; i < MESSAGES && !early; i++) {
            MPI_Request request;
            MUST(MPI_Irecv(&word, 1, MPI_INT, 0, me, MPI_COMM_SELF, &request));
            MUST(MPI_Send(&i, 1, MPI_INT, 0, me, MPI_COMM_SELF));
            MUST(MPI_Wait(&request, MPI_STATUS_IGNORE));
            EQUAL("message", i, word);
        }
        before = after = 0;
        MUST(MPI_T_pvar_read(session, handle, &before));
        CHECK(early || before >= MESSAGES, "thread %d saw %llu of its own %d messages", me, before, MESSAGES);
        MUST(MPI_T_pvar_readreset(session, handle, &after));
        CHECK(after >= before, "%llu messages became %llu", before, after);
        MUST(MPI_T_pvar_handle_free(session, &handle));
        MUST(MPI_T_pvar_session_free(&session));
    }
    return NULL;
}

int main(int argc, char **argv) {
    int level, i;
    pthread_t thread[THREADS];
    test_watchdog(test_deadline);
    early = argc > 1 && strcmp(argv[1], "early") == 0;
    if (early) {
        MUST(MPI_T_init_thread(MPI_THREAD_MULTIPLE, &level));
        MPI_Init(&argc, &argv);
        test_started();
        MUST(MPI_Query_thread(&i));
        EQUAL("thread level of MPI", MPI_THREAD_SINGLE, i);
    } else {
        MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
        test_started();
        MUST(MPI_T_init_thread(MPI_THREAD_MULTIPLE, &level));
    }
    EQUAL("thread level of the tool interface", MPI_THREAD_MULTIPLE, level);
    for (i = 0; i < THREADS; i++) {
        number_of[i] = i;
        pthread_create(&thread[i], NULL, watch, &number_of[i]);
    }
    /* The main thread is in MPI calls of its own meanwhile. */
    for (i = 0; i < 200; i++) {
        int flag;
        MUST(MPI_Iprobe(MPI_ANY_SOURCE, 99, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE));
    }
    for (i = 0; i < THREADS; i++) pthread_join(thread[i], NULL);
    MUST(MPI_T_finalize());
    return test_finish();
}
