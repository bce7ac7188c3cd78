/* Threads mark partitions as ready at MPI_THREAD_MULTIPLE while the main thread waits for the send and
 * others look for what has arrived. Where the header knows no partitions there is nothing to test. */
#include "../test.h"
#include <pthread.h>

#if MPI_VERSION >= 4 || (defined OMPI_MAJOR_VERSION && OMPI_MAJOR_VERSION >= 5)

enum { THREADS = 4, EACH = 16, PARTS = THREADS * EACH, WORDS = 300, ROUNDS = 20 };

static int out[PARTS][WORDS], in[PARTS][WORDS];
static MPI_Request request[2];
static int now;

static void *produce(void *arg) {
    int thread = *(int *)arg, i, k;
    for (i = 0; i < EACH; i++) {
        int part = i * THREADS + thread;
        for (k = 0; k < WORDS; k++) out[part][k] = now * 7919 + test_rank * 104729 + part * WORDS + k;
        MUST(MPI_Pready(part, request[0]));
    }
    return NULL;
}

static void *consume(void *arg) {
    int thread = *(int *)arg, i, k, flag, left = (test_rank + test_size - 1) % test_size;
    for (i = 0; i < EACH; i++) {
        int part = i * THREADS + thread;
        for (flag = 0; !flag;) MUST(MPI_Parrived(request[1], part, &flag));
        for (k = 0; k < WORDS; k++)
            if (in[part][k] != now * 7919 + left * 104729 + part * WORDS + k) {
                EQUAL("value", now * 7919 + left * 104729 + part * WORDS + k, in[part][k]);
                break;
            }
    }
    return NULL;
}

int main(int argc, char **argv) {
    int level, i, right, left, number[THREADS];
    pthread_t producer[THREADS], consumer[THREADS];
    test_watchdog(test_deadline);
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    test_started();
    right = (test_rank + 1) % test_size, left = (test_rank + test_size - 1) % test_size;
    EQUAL("thread level", MPI_THREAD_MULTIPLE, level);
    MUST(MPI_Psend_init(out, PARTS, WORDS, MPI_INT, right, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request[0]));
    MUST(MPI_Precv_init(in, PARTS, WORDS, MPI_INT, left, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request[1]));
    for (i = 0; i < THREADS; i++) number[i] = i;
    for (now = 0; now < ROUNDS; now++) {
        STEP("round");
        memset(in, 0, sizeof in);
        MUST(MPI_Startall(2, request));
        for (i = 0; i < THREADS; i++) {
            pthread_create(&producer[i], NULL, produce, &number[i]);
            pthread_create(&consumer[i], NULL, consume, &number[i]);
        }
        MUST(MPI_Wait(&request[0], MPI_STATUS_IGNORE));
        for (i = 0; i < THREADS; i++) {
            pthread_join(producer[i], NULL);
            pthread_join(consumer[i], NULL);
        }
        MUST(MPI_Wait(&request[1], MPI_STATUS_IGNORE));
    }
    MUST(MPI_Request_free(&request[0]));
    MUST(MPI_Request_free(&request[1]));
    return test_finish();
}

#else

int main(int argc, char **argv) {
    test_start(&argc, &argv);
    return test_finish();
}

#endif
