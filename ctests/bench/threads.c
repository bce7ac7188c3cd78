/* Threads that communicate at once, at MPI_THREAD_MULTIPLE: thread t of rank 0 with thread t of rank 1.
 * usec of `threads_latency_T` is one way of a blocking ping-pong of each of T pairs at once; of
 * `threads_rate_T` the time of one message over all pairs, 64 of each outstanding. Each pair has a
 * communicator of its own; with `_one` all share one communicator and have a tag each.
 * At 1 rank two threads of one process, with a core each: `threads_self_latency` and `threads_self_rate` from
 * one to the other, `threads_apart` both with themselves, so that they meet at the library's locks only.
 * Words: the numbers of threads; 1, 2 and 4 without any. */
#define BENCH_LEVEL MPI_THREAD_MULTIPLE
#include "bench.h"
#include <pthread.h>

enum { MOST = 4, WINDOW = 64 };

struct pair {
    pthread_t thread;
    MPI_Comm comm;
    int tag, count, bytes, first;
    char pad[64], buffer[WINDOW][8];
};

static struct pair pairs[MOST];
static int threads;

static void *pingpong(void *arg) {
    struct pair *p = arg;
    int i, peer = test_size - 1 - test_rank;
    for (i = 0; i < p->count; i++) {
        if (p->first) MPI_Send(p->buffer[0], p->bytes, MPI_BYTE, peer, p->tag, p->comm);
        MPI_Recv(p->buffer[1], p->bytes, MPI_BYTE, peer, p->tag + (p->first && peer == test_rank), p->comm, MPI_STATUS_IGNORE);
        if (!p->first)
            MPI_Send(p->buffer[0], p->bytes, MPI_BYTE, peer, p->tag + (peer == test_rank), p->comm);
    }
    return NULL;
}

static void *window(void *arg) {
    struct pair *p = arg;
    MPI_Request request[WINDOW];
    int i, k, peer = test_size - 1 - test_rank;
    for (i = 0; i < p->count; i++) {
        if (p->first) {
            for (k = 0; k < WINDOW; k++)
                MPI_Isend(p->buffer[k], p->bytes, MPI_BYTE, peer, p->tag, p->comm, &request[k]);
            MPI_Waitall(WINDOW, request, MPI_STATUSES_IGNORE);
            MPI_Recv(NULL, 0, MPI_BYTE, peer, p->tag + MOST, p->comm, MPI_STATUS_IGNORE);
        } else {
            for (k = 0; k < WINDOW; k++)
                MPI_Irecv(p->buffer[k], p->bytes, MPI_BYTE, peer, p->tag, p->comm, &request[k]);
            MPI_Waitall(WINDOW, request, MPI_STATUSES_IGNORE);
            MPI_Send(NULL, 0, MPI_BYTE, peer, p->tag + MOST, p->comm);
        }
    }
    return NULL;
}

static void *apart(void *arg) {
    struct pair *p = arg;
    MPI_Request request[2 * WINDOW];
    char into[WINDOW][8];
    int i, k;
    for (i = 0; i < p->count; i++) {
        for (k = 0; k < WINDOW; k++) MPI_Irecv(into[k], p->bytes, MPI_BYTE, 0, p->tag, p->comm, &request[k]);
        for (k = 0; k < WINDOW; k++)
            MPI_Isend(p->buffer[k], p->bytes, MPI_BYTE, 0, p->tag, p->comm, &request[WINDOW + k]);
        MPI_Waitall(2 * WINDOW, request, MPI_STATUSES_IGNORE);
    }
    return NULL;
}

static void all(size_t bytes, int count, void *(*work)(void *)) {
    int t;
    for (t = 0; t < threads; t++) {
        pairs[t].count = count;
        pairs[t].bytes = (int)bytes;
        if (t > 0 && pthread_create(&pairs[t].thread, NULL, work, &pairs[t]) != 0) MPI_Abort(MPI_COMM_WORLD, 3);
    }
    work(&pairs[0]);
    for (t = 1; t < threads; t++) pthread_join(pairs[t].thread, NULL);
}

static void latency(size_t bytes, int begin, int end) { all(bytes, end - begin, pingpong); }
static void rate(size_t bytes, int begin, int end) { all(bytes, end - begin, window); }
static void alone(size_t bytes, int begin, int end) { all(bytes, end - begin, apart); }

static int wanted(int argc, char **argv, int first) {
    int i;
    for (i = first; i < argc; i++)
        if (atoi(argv[i]) == threads) return 1;
    return first >= argc;
}

int main(int argc, char **argv) {
    MPI_Comm own[MOST];
    int t, one, first = bench_start(&argc, &argv);
    char op[64];
    if (test_size > 2) MPI_Abort(MPI_COMM_WORLD, 2);
    for (t = 0; t < MOST; t++) {
        MPI_Comm_dup(MPI_COMM_WORLD, &own[t]);
        pairs[t].comm = own[test_size == 1 ? 0 : t];
        pairs[t].tag = 0;
        pairs[t].first = test_size == 1 ? t == 0 : test_rank == 0;
    }
    if (test_size == 1) {
        threads = 2;
        bench_measure("threads_self_latency", 8, 0.5, 0.2, latency);
        bench_measure("threads_self_rate", 8, 1.0 / WINDOW, 0.2, rate);
        pairs[1].comm = own[1];
        bench_measure("threads_apart", 8, 0.5 / WINDOW, 0.2, alone);
    }
    for (threads = 1; test_size == 2 && threads <= MOST; threads *= 2)
        for (one = 0; one <= (threads > 1) && wanted(argc, argv, first); one++) {
            for (t = 0; t < threads; t++) {
                pairs[t].comm = one ? own[0] : own[t];
                pairs[t].tag = t;
            }
            snprintf(op, sizeof op, "threads_latency_%d%s", threads, one ? "_one" : "");
            bench_measure(op, 8, 0.5, 0.1, latency);
            snprintf(op, sizeof op, "threads_rate_%d%s", threads, one ? "_one" : "");
            bench_measure(op, 8, 1.0 / (WINDOW * threads), 0.1, rate);
        }
    for (t = 0; t < MOST; t++) MPI_Comm_free(&own[t]);
    return bench_finish();
}
