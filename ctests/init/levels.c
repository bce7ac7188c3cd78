/* MPI_Init_thread at the level that the argument names: what is provided is at least that, and
 * query_thread and is_thread_main agree, also seen from another thread. */
#include "../test.h"
#include <pthread.h>

static int main_there = -1, level_there = -1;

static void *other(void *unused) {
    (void)unused;
    MPI_Is_thread_main(&main_there);
    MPI_Query_thread(&level_there);
    return NULL;
}

int main(int argc, char **argv) {
    int wanted = MPI_THREAD_SINGLE, provided = -1, level = -1, is_main = -1, sum = 0;
    pthread_t thread;
    if (argc > 1) {
        if (strcmp(argv[1], "funneled") == 0) wanted = MPI_THREAD_FUNNELED;
        if (strcmp(argv[1], "serialized") == 0) wanted = MPI_THREAD_SERIALIZED;
        if (strcmp(argv[1], "multiple") == 0) wanted = MPI_THREAD_MULTIPLE;
    }
    test_watchdog(30);
    MPI_Init_thread(&argc, &argv, wanted, &provided);
    test_started();
    CHECK(provided >= wanted && provided <= MPI_THREAD_MULTIPLE, "wanted level %d, provided %d", wanted, provided);
    MUST(MPI_Query_thread(&level));
    EQUAL("query_thread", provided, level);
    MUST(MPI_Is_thread_main(&is_main));
    EQUAL("is_thread_main", 1, !!is_main);
    if (provided > MPI_THREAD_SINGLE) {
        pthread_create(&thread, NULL, other, NULL);
        pthread_join(thread, NULL);
        EQUAL("is_thread_main in another thread", 0, main_there);
        EQUAL("query_thread in another thread", provided, level_there);
    }
    MUST(MPI_Allreduce(&provided, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    EQUAL("every rank got the same", provided * test_size, sum);
    return test_finish();
}
