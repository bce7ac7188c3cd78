/* Sessions in threads that know nothing of each other: each opens its own, makes communicators, talks and
 * ends it, again and again, without MPI_Init. */
#include "../test.h"
#include "session.h"
#include <pthread.h>

#define THREADS 4
#define ROUNDS 8

static void *library(void *name) {
    int round, i;
    for (round = 0; round < ROUNDS; round++) {
        MPI_Session session = MPI_SESSION_NULL;
        MPI_Comm comm, copy;
        MUST(MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session));
        comm = session_comm(session, round % 3 == 2 ? "mpi://SELF" : "mpi://WORLD", name);
        for (i = 0; i < 10; i++) session_sum("thread", comm);
        MUST(MPI_Comm_dup(comm, &copy));
        session_sum("duplicate", copy);
        MUST(MPI_Comm_free(&copy));
        MUST(MPI_Comm_free(&comm));
        MUST(MPI_Session_finalize(&session));
    }
    return NULL;
}

int main(void) {
    static char names[THREADS][30];
    pthread_t threads[THREADS];
    int i;
    test_watchdog(60);
    setvbuf(stdout, NULL, _IOLBF, 4096);
    STEP("threads");
    for (i = 0; i < THREADS; i++) {
        snprintf(names[i], sizeof names[i], "org.example.library-%d", i);
        pthread_create(&threads[i], NULL, library, names[i]);
    }
    for (i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    return session_verdict();
}
