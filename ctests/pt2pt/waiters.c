/* MPI_THREAD_MULTIPLE: threads that wait for long, and so sleep. A thread asleep in a receive answers while
 * the main thread makes other calls, and while it makes none; of several sleepers each gets its own message;
 * matched probes, requests and collectives wake up too when another thread makes the progress. */
#include "../test.h"
#include <pthread.h>
#include <stdint.h>
#include <time.h>

enum { SLEEPERS = 4, QUESTIONS = 200, STOP = -1, RELEASE = -2 };
static MPI_Comm own[SLEEPERS], service;
static int got[SLEEPERS], released;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

static void pause_for(long milliseconds) {
    struct timespec time = {0, milliseconds * 1000000L};
    nanosleep(&time, NULL);
}

/* Answers until it is told to stop. */
static void *server(void *unused) {
    MPI_Status status;
    int word;
    (void)unused;
    for (;;) {
        MPI_Recv(&word, 1, MPI_INT, MPI_ANY_SOURCE, 1, service, &status);
        if (word == STOP) return NULL;
        if (word == RELEASE) {
            pthread_mutex_lock(&lock);
            released = 1;
            pthread_cond_signal(&changed);
            pthread_mutex_unlock(&lock);
        }
        word += 1000;
        MPI_Send(&word, 1, MPI_INT, status.MPI_SOURCE, 2, service);
    }
}

static void ask(int whom, int what) {
    int word = what;
    MUST(MPI_Send(&word, 1, MPI_INT, whom, 1, service));
    MUST(MPI_Recv(&word, 1, MPI_INT, whom, 2, service, MPI_STATUS_IGNORE));
    EQUAL("answer", what + 1000, word);
}

static void *sleeper(void *which) {
    int i = (int)(intptr_t)which, left = (test_rank + test_size - 1) % test_size;
    MPI_Message message;
    MPI_Request request[2];
    int ignored;
    switch (i) {
        case 0: MPI_Recv(&got[i], 1, MPI_INT, left, i, own[i], MPI_STATUS_IGNORE); break;
        case 1:
            MPI_Mprobe(left, i, own[i], &message, MPI_STATUS_IGNORE);
            MPI_Mrecv(&got[i], 1, MPI_INT, &message, MPI_STATUS_IGNORE);
            break;
        case 2:
            MPI_Irecv(&ignored, 1, MPI_INT, left, 99, own[i], &request[0]);
            MPI_Irecv(&got[i], 1, MPI_INT, left, i, own[i], &request[1]);
            MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
            break;
        default: MPI_Allreduce(&test_rank, &got[i], 1, MPI_INT, MPI_MAX, own[i]);
    }
    return NULL;
}

int main(int argc, char **argv) {
    pthread_t thread, sleepers[SLEEPERS];
    int level, i, word, right;
    test_watchdog(test_deadline);
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    test_started();
    EQUAL("thread level", MPI_THREAD_MULTIPLE, level);
    MUST(MPI_Comm_dup(MPI_COMM_WORLD, &service));
    for (i = 0; i < SLEEPERS; i++) MUST(MPI_Comm_dup(MPI_COMM_WORLD, &own[i]));
    right = (test_rank + 1) % test_size;

    STEP("a server beside a main thread that communicates");
    pthread_create(&thread, NULL, server, NULL);
    pause_for(300);
    for (i = 0; i < QUESTIONS; i++) ask(i % test_size, i);
    MUST(MPI_Barrier(MPI_COMM_WORLD));

    STEP("a server beside a main thread that is away");
    for (i = 0; i < test_size; i++) {
        /* All but rank i are outside of MPI until their servers let them go. */
        int k;
        if (i == test_rank) {
            pause_for(300);
            for (k = 0; k < test_size; k++) {
                if (k == i) continue;
                ask(k, i * 100 + k);
                ask(k, RELEASE);
            }
        } else {
            pthread_mutex_lock(&lock);
            while (!released) pthread_cond_wait(&changed, &lock);
            released = 0;
            pthread_mutex_unlock(&lock);
        }
        MUST(MPI_Barrier(MPI_COMM_WORLD));
    }

    STEP("several sleepers");
    /* Later ones may share memory, which wakes nobody by a message. */
    for (i = 0; i < 4; i++) MUST(MPI_Barrier(own[3]));
    for (i = 0; i < SLEEPERS; i++) {
        got[i] = -1;
        pthread_create(&sleepers[i], NULL, sleeper, (void *)(intptr_t)i);
    }
    pause_for(300);
    for (i = 0; i < 3; i++) {
        /* The last one in the list first. */
        int to = 2 - i;
        word = test_rank * 10 + to;
        MUST(MPI_Send(&word, 1, MPI_INT, right, to, own[to]));
        pause_for(20);
    }
    MUST(MPI_Send(&word, 1, MPI_INT, right, 99, own[2]));
    for (i = 0; i < SLEEPERS; i++) pthread_join(sleepers[i], NULL);
    for (i = 0; i < 3; i++) EQUAL("a sleeper's message", (test_rank + test_size - 1) % test_size * 10 + i, got[i]);
    EQUAL("a sleeper's maximum", test_size - 1, got[3]);

    STEP("stop");
    word = STOP;
    MUST(MPI_Send(&word, 1, MPI_INT, test_rank, 1, service));
    pthread_join(thread, NULL);
    for (i = 0; i < SLEEPERS; i++) MUST(MPI_Comm_free(&own[i]));
    MUST(MPI_Comm_free(&service));
    return test_finish();
}
