/* MPI_THREAD_MULTIPLE: threads exchange pairwise on one communicator (by tag) and on one each, one
 * thread is blocked in a receive while the others work, collectives run at once on communicators of
 * their own, and a request started by one thread is completed by another. */
#include "../test.h"
#include <pthread.h>
#include <stdint.h>

enum { THREADS = 4, ROUNDS = 1000 };
static MPI_Comm own[THREADS];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* The checks count errors in a plain variable: one thread at a time. */
#define GUARDED(statement)           \
    do {                             \
        pthread_mutex_lock(&lock);   \
        statement;                   \
        pthread_mutex_unlock(&lock); \
    } while (0)

static void exchange(MPI_Comm comm, int tag, int rounds) {
    static const int lengths[] = {1, 100, 3000, 40000};
    int i, *out = test_alloc(40000 * sizeof(int)), *in = test_alloc(40000 * sizeof(int));
    int right = (test_rank + 1) % test_size, left = (test_rank + test_size - 1) % test_size;
    for (i = 0; i < rounds; i++) {
        int n = lengths[i % 50 == 49 ? 3 : i % 10 == 9 ? 2 : i % 2];
        int code;
        out[0] = test_rank * 1000000 + i, out[n - 1] = n == 1 ? out[0] : tag;
        in[0] = in[n - 1] = -1;
        code = MPI_Sendrecv(out, n, MPI_INT, right, tag, in, n, MPI_INT, left, tag, comm, MPI_STATUS_IGNORE);
        if (code != MPI_SUCCESS || in[0] != left * 1000000 + i || (n > 1 && in[n - 1] != tag))
            GUARDED(CHECK(0, "thread with tag %d, round %d: code %d, got %d and %d", tag, i, code, in[0], in[n - 1]));
    }
    free(out);
    free(in);
}

static void *same_comm(void *which) {
    exchange(MPI_COMM_WORLD, (int)(intptr_t)which, ROUNDS);
    return NULL;
}

static void *own_comm(void *which) {
    exchange(own[(intptr_t)which], 7, ROUNDS);
    return NULL;
}

static void *blocked(void *unused) {
    int word = -1;
    (void)unused;
    MPI_Recv(&word, 1, MPI_INT, test_rank, 999, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (word != 4711) GUARDED(CHECK(0, "the blocked receive got %d", word));
    return NULL;
}

static void *collective(void *which) {
    MPI_Comm comm = own[(intptr_t)which];
    int i, sum;
    for (i = 0; i < ROUNDS / 4; i++) {
        int word = test_rank + i;
        MPI_Allreduce(&word, &sum, 1, MPI_INT, MPI_SUM, comm);
        if (sum != test_size * (test_size - 1) / 2 + i * test_size)
            GUARDED(CHECK(0, "allreduce %d of thread %d gave %d", i, (int)(intptr_t)which, sum));
        word = test_rank == i % test_size ? i : -1;
        MPI_Bcast(&word, 1, MPI_INT, i % test_size, comm);
        if (word != i) GUARDED(CHECK(0, "bcast %d of thread %d gave %d", i, (int)(intptr_t)which, word));
        if (i % 10 == 0) MPI_Barrier(comm);
    }
    return NULL;
}

/* Local work that touches every kind of object, at the same time in all threads. */
static void *objects(void *which) {
    int i;
    (void)which;
    for (i = 0; i < ROUNDS; i++) {
        MPI_Datatype type;
        MPI_Group group, part;
        MPI_Info info;
        int size = -1, zero = 0;
        MPI_Type_vector(3, 1, 2, MPI_INT, &type);
        MPI_Type_commit(&type);
        MPI_Type_size(type, &size);
        if (size != 12) GUARDED(EQUAL("type size", 12, size));
        MPI_Type_free(&type);
        MPI_Comm_group(MPI_COMM_WORLD, &group);
        MPI_Group_incl(group, 1, &zero, &part);
        MPI_Group_size(part, &size);
        if (size != 1) GUARDED(EQUAL("group size", 1, size));
        MPI_Group_free(&part);
        MPI_Group_free(&group);
        MPI_Info_create(&info);
        MPI_Info_set(info, "a", "b");
        MPI_Info_free(&info);
    }
    return NULL;
}

static MPI_Request handed;
static void *completes(void *unused) {
    MPI_Status status;
    (void)unused;
    MPI_Wait(&handed, &status);
    if (status.MPI_TAG != 55) GUARDED(EQUAL("tag", 55, status.MPI_TAG));
    return NULL;
}

static void in_threads(const char *what, void *(*body)(void *)) {
    pthread_t thread[THREADS];
    intptr_t i;
    STEP(what);
    for (i = 0; i < THREADS; i++) pthread_create(&thread[i], NULL, body, (void *)i);
    for (i = 0; i < THREADS; i++) pthread_join(thread[i], NULL);
    MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char **argv) {
    int provided, i, word = 4711;
    pthread_t waiting;
    test_watchdog(120);
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    test_started();
    EQUAL("provided", MPI_THREAD_MULTIPLE, provided);
    for (i = 0; i < THREADS; i++) MUST(MPI_Comm_dup(MPI_COMM_WORLD, &own[i]));
    pthread_create(&waiting, NULL, blocked, NULL);
    in_threads("one communicator", same_comm);
    in_threads("a communicator each", own_comm);
    in_threads("collectives at once", collective);
    in_threads("objects", objects);
    STEP("a request handed over");
    MUST(MPI_Irecv(&i, 1, MPI_INT, test_rank, 55, MPI_COMM_WORLD, &handed));
    {
        pthread_t thread;
        pthread_create(&thread, NULL, completes, NULL);
        MUST(MPI_Send(&word, 1, MPI_INT, test_rank, 55, MPI_COMM_WORLD));
        pthread_join(thread, NULL);
    }
    STEP("the blocked receive");
    MUST(MPI_Send(&word, 1, MPI_INT, test_rank, 999, MPI_COMM_WORLD));
    pthread_join(waiting, NULL);
    for (i = 0; i < THREADS; i++) MUST(MPI_Comm_free(&own[i]));
    return test_finish();
}
