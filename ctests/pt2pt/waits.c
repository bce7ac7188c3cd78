/* How a process waits: partners that are late by nothing, by a little and by a third of a second, in every
 * call that waits and in loops of tests. The first argument says what the knobs in the environment force,
 * which the library's own counters must confirm: `spin`, `yield`, `sleep`. `onecore` binds all ranks to one
 * core after MPI_Init, so that the library finds out by itself; `threads` keeps a second thread waiting in
 * every rank meanwhile, at MPI_THREAD_MULTIPLE. */
#define _GNU_SOURCE
#include "../test.h"
#include <pthread.h>
#include <sched.h>
#include <time.h>

enum { ROUNDS = 300 };

static MPI_T_pvar_session session;
static MPI_Comm aside;

static MPI_T_pvar_handle count_of(const char *name) {
    int index, count;
    MPI_T_pvar_handle handle;
    MUST(MPI_T_pvar_get_index(name, MPI_T_PVAR_CLASS_COUNTER, &index));
    MUST(MPI_T_pvar_handle_alloc(session, index, NULL, &handle, &count));
    MUST(MPI_T_pvar_start(session, handle));
    return handle;
}

static unsigned long long read_of(MPI_T_pvar_handle handle) {
    unsigned long long value = 0;
    MUST(MPI_T_pvar_read(session, handle, &value));
    return value;
}

static void pause_for(long microseconds) {
    struct timespec time;
    time.tv_sec = 0;
    time.tv_nsec = microseconds * 1000;
    nanosleep(&time, NULL);
}

/* Pairs of neighbours; rank 0 is late by some time in each round. */
static void exchanges(int rounds, long late) {
    int i, flag, word, got, peer = test_rank ^ 1;
    if (peer >= test_size) return;
    for (i = 0; i < rounds; i++) {
        MPI_Request request;
        MPI_Status status;
        if (late && test_rank == 0) pause_for(late);
        word = i;
        STEP("receive");
        if (test_rank < peer) MUST(MPI_Send(&word, 1, MPI_INT, peer, 1, MPI_COMM_WORLD));
        MUST(MPI_Recv(&got, 1, MPI_INT, peer, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        EQUAL("received", i, got);
        if (test_rank > peer) MUST(MPI_Send(&word, 1, MPI_INT, peer, 1, MPI_COMM_WORLD));
        STEP("wait for a synchronous send");
        MUST(MPI_Issend(&word, 1, MPI_INT, peer, 2, MPI_COMM_WORLD, &request));
        if (late && test_rank == 0) pause_for(late);
        MUST(MPI_Recv(&got, 1, MPI_INT, peer, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        MUST(MPI_Wait(&request, MPI_STATUS_IGNORE));
        EQUAL("synchronous", i, got);
        STEP("test");
        MUST(MPI_Irecv(&got, 1, MPI_INT, peer, 3, MPI_COMM_WORLD, &request));
        if (late && test_rank == 0) pause_for(late);
        MUST(MPI_Send(&word, 1, MPI_INT, peer, 3, MPI_COMM_WORLD));
        do MUST(MPI_Test(&request, &flag, MPI_STATUS_IGNORE));
        while (!flag);
        EQUAL("tested", i, got);
        STEP("probe");
        if (late && test_rank == 0) pause_for(late);
        MUST(MPI_Send(&word, 1, MPI_INT, peer, 4, MPI_COMM_WORLD));
        MUST(MPI_Probe(peer, 4, MPI_COMM_WORLD, &status));
        do MUST(MPI_Iprobe(peer, 4, MPI_COMM_WORLD, &flag, &status));
        while (!flag);
        MUST(MPI_Recv(&got, 1, MPI_INT, peer, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        EQUAL("probed", i, got);
    }
}

/* The last rank is late. */
static void collectives(int rounds, long late) {
    int i, sum;
    for (i = 0; i < rounds; i++) {
        STEP("allreduce");
        if (late && test_rank == test_size - 1) pause_for(late);
        MUST(MPI_Allreduce(&i, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
        EQUAL("sum", i * test_size, sum);
        STEP("barrier");
        MUST(MPI_Barrier(MPI_COMM_WORLD));
    }
}

/* The message comes at the very end. */
static void *wait_aside(void *ignored) {
    int got = -1;
    (void)ignored;
    MUST(MPI_Recv(&got, 1, MPI_INT, 0, 5, aside, MPI_STATUS_IGNORE));
    EQUAL("aside", 17, got);
    return NULL;
}

int main(int argc, char **argv) {
    const char *what = argc > 1 ? argv[1] : "";
    int threads = strcmp(what, "threads") == 0, provided, i, word = 17;
    unsigned long long yields, sleeps;
    MPI_T_pvar_handle yielded, slept;
    pthread_t other;
    test_watchdog(test_deadline);
    MUST(MPI_Init_thread(&argc, &argv, threads ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, &provided));
    test_started();
    MUST(MPI_T_init_thread(MPI_THREAD_SINGLE, &provided));
    MUST(MPI_T_pvar_session_create(&session));
    yielded = count_of("yields");
    slept = count_of("sleeps");
    if (strcmp(what, "onecore") == 0) {
        cpu_set_t all, one;
        CPU_ZERO(&one);
        EQUAL("affinity", 0, sched_getaffinity(0, sizeof all, &all));
        for (i = 0; i < CPU_SETSIZE && !CPU_ISSET(i, &all); i++) continue;
        CPU_SET(i, &one);
        EQUAL("binding", 0, sched_setaffinity(0, sizeof one, &one));
    }
    if (threads) {
        MUST(MPI_Comm_dup(MPI_COMM_WORLD, &aside));
        EQUAL("thread", 0, pthread_create(&other, NULL, wait_aside, NULL));
    }
    exchanges(ROUNDS, 0);
    collectives(ROUNDS, 0);
    exchanges(3, 1000);
    collectives(3, 1000);
    exchanges(1, 300000);
    collectives(1, 300000);
    yields = read_of(yielded);
    sleeps = read_of(slept);
    if (strcmp(what, "spin") == 0) {
        EQUAL("yields of a process that is to spin", 0, (long long)yields);
        EQUAL("sleeps of a process that is to spin", 0, (long long)sleeps);
    }
    /* Who is late itself need not wait for anybody; rank 1 and rank 0 each wait for the other once. */
    if (strcmp(what, "yield") == 0 || strcmp(what, "onecore") == 0) CHECK(yields > 0, "nobody yielded");
    if (strcmp(what, "sleep") == 0) {
        EQUAL("yields of a process that is to sleep", 0, (long long)yields);
        CHECK(sleeps > 0, "nobody slept");
    }
    if (threads) {
        STEP("the other thread");
        MUST(MPI_Barrier(MPI_COMM_WORLD));
        for (i = 0; i < test_size && test_rank == 0; i++) MUST(MPI_Send(&word, 1, MPI_INT, i, 5, aside));
        EQUAL("join", 0, pthread_join(other, NULL));
        MUST(MPI_Comm_free(&aside));
    }
    MUST(MPI_T_pvar_session_free(&session));
    MUST(MPI_T_finalize());
    return test_finish();
}
