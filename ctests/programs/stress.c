/* Random stress: SEED SECONDS THREADS MOST_BYTES. Threads of every rank draw one schedule per thread from the
 * seed, so all know what each step sends; every byte received is compared with what it must be. Thread t of
 * each rank uses a communicator of its own for collectives and shares one, with tags of its own, for messages.
 * The step at which a check fails is named: the same arguments come to it again. */
#include "../test.h"
#include <pthread.h>
#include <stdint.h>
#include <time.h>

enum { KINDS = 12, STOP_EVERY = 16, BATCH = 24 };

typedef struct {
    int number;
    unsigned long long common, own; /* generators: of all ranks, of this one */
    long long steps, messages, bytes;
    MPI_Comm alone, shared;
} thread;

static unsigned long long seed;
static double seconds, started;
static int threads, most;

static unsigned draw(unsigned long long *state, unsigned below) {
    *state = *state * 6364136223846793005ULL + 1442695040888963407ULL;
    return (unsigned)(*state >> 33) % below;
}

/* Most are small, each power of two up to the most is as likely. */
static int size_of(thread *t) {
    int bits = 1, n;
    while (bits < 23 && 1 << bits < most) bits++;
    bits = (int)draw(&t->common, (unsigned)bits + 1);
    n = (int)draw(&t->common, (1U << bits) + 1);
    return n < most ? n : most;
}

static void wrong(thread *t, const char *what, long long at, int expected, int got) {
    static pthread_mutex_t once = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&once);
    printf("WRONG rank %d thread %d step %lld, seed %llu: %s at %lld: expected 0x%x, got 0x%x\n", test_rank, t->number,
           t->steps, seed, what, at, expected, got);
    fflush(stdout);
    MPI_Abort(MPI_COMM_WORLD, 3);
}

static unsigned mark(const thread *t, int from, int number) {
    return (unsigned)(t->steps * 131 + from * 17 + number * 7 + t->number);
}

/* A message's data: contiguous bytes, every second byte, or blocks of three with one left out. */
typedef struct {
    MPI_Datatype type;
    int count, form, bytes;
    size_t room;
    unsigned char *data;
} packet;

static size_t place(const packet *p, size_t i) {
    return p->form == 0 ? i : p->form == 1 ? 2 * i : i / 3 * 4 + i % 3;
}

static packet make(thread *t, int bytes, int form, int full, unsigned with) {
    packet p;
    size_t i;
    p.form = form, p.bytes = bytes, p.type = MPI_BYTE, p.count = bytes;
    if (form == 1) {
        MUST(MPI_Type_create_resized(MPI_BYTE, 0, 2, &p.type));
    } else if (form == 2) {
        p.bytes = bytes / 3 * 3, p.count = bytes / 3;
        MUST(MPI_Type_vector(1, 3, 4, MPI_BYTE, &p.type));
        MPI_Datatype three = p.type;
        MUST(MPI_Type_create_resized(three, 0, 4, &p.type));
        MUST(MPI_Type_free(&three));
    }
    if (form) MUST(MPI_Type_commit(&p.type));
    p.room = place(&p, (size_t)p.bytes) + 1;
    p.data = malloc(p.room);
    if (!p.data) wrong(t, "memory", (long long)p.room, 1, 0);
    memset(p.data, 0x3C, p.room);
    for (i = 0; full && i < (size_t)p.bytes; i++) p.data[place(&p, i)] = test_byte(with, i);
    return p;
}

static void finish(thread *t, packet *p, int received, unsigned with) {
    size_t i, at = 0;
    for (i = 0; received && i < (size_t)p->bytes; i++) {
        for (; at < place(p, i); at++)
            if (p->data[at] != 0x3C) wrong(t, "gap", (long long)at, 0x3C, p->data[at]);
        if (p->data[at] != test_byte(with, i)) wrong(t, "byte", (long long)i, test_byte(with, i), p->data[at]);
        at++;
    }
    if (p->data[p->room - 1] != 0x3C) wrong(t, "byte behind", (long long)p->room, 0x3C, p->data[p->room - 1]);
    if (p->form) MUST(MPI_Type_free(&p->type));
    free(p->data);
    t->messages++, t->bytes += p->bytes;
}

static int tag_of(const thread *t, int number) {
    return (int)(t->steps % 4096) * 4096 + t->number * 256 + number;
}

static void check_status(thread *t, MPI_Status *status, int from, int tag, int bytes) {
    int count;
    MUST(MPI_Get_count(status, MPI_BYTE, &count));
    if (status->MPI_SOURCE != from) wrong(t, "source", 0, from, status->MPI_SOURCE);
    if (status->MPI_TAG != tag) wrong(t, "tag", 0, tag, status->MPI_TAG);
    if (count != bytes) wrong(t, "count", 0, bytes, count);
}

/* Everybody sends to the rank `shift` further on, one of several ways. */
static void shift(thread *t) {
    int by = (int)draw(&t->common, (unsigned)test_size), bytes = size_of(t), way = (int)draw(&t->common, 7);
    int form = (int)draw(&t->common, 3), form_in = (int)draw(&t->common, 3), tag = tag_of(t, 0);
    int to = (test_rank + by) % test_size, from = (test_rank + test_size - by) % test_size, i;
    int source = draw(&t->own, 2) ? from : MPI_ANY_SOURCE;
    if (form == 2 || form_in == 2) bytes = bytes / 3 * 3;
    packet out = make(t, bytes, form, 1, mark(t, test_rank, 0)), in = make(t, bytes, form_in, 0, 0);
    MPI_Request request[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    MPI_Status status;
    MPI_Message message;
    switch (way) {
        case 0:
            MUST(MPI_Sendrecv(out.data, out.count, out.type, to, tag, in.data, in.count, in.type, source, tag, t->shared,
                              &status));
            break;
        case 1:
            MUST(MPI_Irecv(in.data, in.count, in.type, source, tag, t->shared, &request[0]));
            MUST(MPI_Send(out.data, out.count, out.type, to, tag, t->shared));
            MUST(MPI_Wait(&request[0], &status));
            break;
        case 2:
            MUST(MPI_Isend(out.data, out.count, out.type, to, tag, t->shared, &request[1]));
            MUST(MPI_Recv(in.data, in.count, in.type, source, tag, t->shared, &status));
            break;
        case 3:
            MUST(MPI_Issend(out.data, out.count, out.type, to, tag, t->shared, &request[1]));
            MUST(MPI_Probe(source, tag, t->shared, &status));
            check_status(t, &status, from, tag, in.bytes);
            MUST(MPI_Recv(in.data, in.count, in.type, from, tag, t->shared, &status));
            break;
        case 4:
            MUST(MPI_Isend(out.data, out.count, out.type, to, tag, t->shared, &request[1]));
            MUST(MPI_Mprobe(source, tag, t->shared, &message, &status));
            check_status(t, &status, from, tag, in.bytes);
            MUST(MPI_Mrecv(in.data, in.count, in.type, &message, &status));
            break;
        case 5:
            MUST(MPI_Irecv(in.data, in.count, in.type, source, tag, t->shared, &request[0]));
            MUST(MPI_Isend(out.data, out.count, out.type, to, tag, t->shared, &request[1]));
            for (i = 0; !i;) MUST(MPI_Test(&request[0], &i, &status));
            break;
        default:
            MUST(MPI_Recv_init(in.data, in.count, in.type, from, tag, t->shared, &request[0]));
            MUST(MPI_Send_init(out.data, out.count, out.type, to, tag, t->shared, &request[1]));
            for (i = 0; i < 3; i++) {
                MPI_Status both[2];
                MUST(MPI_Startall(2, request));
                MUST(MPI_Waitall(2, request, both));
                status = both[0];
            }
            MUST(MPI_Request_free(&request[0]));
            MUST(MPI_Request_free(&request[1]));
    }
    MUST(MPI_Wait(&request[1], MPI_STATUS_IGNORE));
    check_status(t, &status, from, tag, in.bytes);
    finish(t, &out, 0, 0);
    finish(t, &in, 1, mark(t, from, 0));
}

/* Many messages between random ranks, posted in an order of the rank's own, completed as they come. */
static void batch(thread *t) {
    MPI_Request request[2 * BATCH];
    packet packets[2 * BATCH];
    int numbers[2 * BATCH], from[2 * BATCH], n = 0, i, k, left;
    struct {
        int from, to, bytes, form, mode;
    } list[BATCH];
    for (i = 0; i < BATCH; i++) {
        list[i].from = (int)draw(&t->common, (unsigned)test_size), list[i].to = (int)draw(&t->common, (unsigned)test_size);
        list[i].bytes = size_of(t) / 4 / 3 * 3, list[i].form = (int)draw(&t->common, 3), list[i].mode = (int)draw(&t->common, 2);
        if (list[i].to == test_rank) numbers[n++] = i;
        if (list[i].from == test_rank) numbers[n++] = BATCH + i;
    }
    for (i = n - 1; i > 0; i--) {
        k = (int)draw(&t->own, (unsigned)i + 1);
        left = numbers[i], numbers[i] = numbers[k], numbers[k] = left;
    }
    for (k = 0; k < n; k++) {
        int number = numbers[k] % BATCH, tag = tag_of(t, number + 1);
        i = number, from[k] = list[i].from;
        if (numbers[k] < BATCH) {
            packets[k] = make(t, list[i].bytes, (int)draw(&t->own, 3), 0, 0);
            MUST(MPI_Irecv(packets[k].data, packets[k].count, packets[k].type, draw(&t->own, 3) ? from[k] : MPI_ANY_SOURCE,
                           tag, t->shared, &request[k]));
        } else {
            packets[k] = make(t, list[i].bytes, list[i].form, 1, mark(t, test_rank, number + 1));
            if (list[i].mode)
                MUST(MPI_Issend(packets[k].data, packets[k].count, packets[k].type, list[i].to, tag, t->shared, &request[k]));
            else
                MUST(MPI_Isend(packets[k].data, packets[k].count, packets[k].type, list[i].to, tag, t->shared, &request[k]));
        }
    }
    for (left = n; left > 0; left--) {
        MPI_Status status;
        int number;
        MUST(MPI_Waitany(n, request, &k, &status));
        if (k < 0 || k >= n) wrong(t, "completed request", k, n, k);
        number = numbers[k] % BATCH;
        if (numbers[k] < BATCH) check_status(t, &status, from[k], tag_of(t, number + 1), packets[k].bytes);
        finish(t, &packets[k], numbers[k] < BATCH, mark(t, from[k], number + 1));
    }
}

static void from_one(thread *t) {
    int root = (int)draw(&t->common, (unsigned)test_size), bytes = size_of(t) / 3 * 3, form = (int)draw(&t->common, 3);
    packet p = make(t, bytes, form, root == test_rank, mark(t, root, 0));
    if (draw(&t->common, 2)) {
        MPI_Request request;
        MUST(MPI_Ibcast(p.data, p.count, p.type, root, t->alone, &request));
        shift(t);
        MUST(MPI_Wait(&request, MPI_STATUS_IGNORE));
    } else {
        MUST(MPI_Bcast(p.data, p.count, p.type, root, t->alone));
    }
    finish(t, &p, 1, mark(t, root, 0));
}

static void reductions(thread *t) {
    int n = size_of(t) / 8, i, how = (int)draw(&t->common, 4), root = (int)draw(&t->common, (unsigned)test_size);
    int64_t *in = malloc(sizeof *in * (size_t)(n + 1)), *out = malloc(sizeof *out * (size_t)(n + 1));
    int sum_of_ranks = test_size * (test_size - 1) / 2, upto = test_rank * (test_rank + 1) / 2;
    if (!in || !out) wrong(t, "memory", n, 1, 0);
    for (i = 0; i < n; i++) in[i] = (int64_t)test_rank * 1000003 + i, out[i] = -1;
    out[n] = 0x3C;
    if (how == 0) MUST(MPI_Allreduce(in, out, n, MPI_INT64_T, MPI_SUM, t->alone));
    if (how == 1) MUST(MPI_Reduce(in, out, n, MPI_INT64_T, MPI_SUM, root, t->alone));
    if (how == 2) MUST(MPI_Scan(in, out, n, MPI_INT64_T, MPI_SUM, t->alone));
    if (how == 3) {
        MPI_Request request;
        memcpy(out, in, sizeof *in * (size_t)n);
        MUST(MPI_Iallreduce(MPI_IN_PLACE, out, n, MPI_INT64_T, MPI_MAX, t->alone, &request));
        MUST(MPI_Wait(&request, MPI_STATUS_IGNORE));
    }
    for (i = 0; i < n; i++) {
        int64_t all = (int64_t)sum_of_ranks * 1000003 + (int64_t)test_size * i;
        if (how == 1 && root != test_rank) all = -1;
        if (how == 2) all = (int64_t)upto * 1000003 + (int64_t)(test_rank + 1) * i;
        if (how == 3) all = (int64_t)(test_size - 1) * 1000003 + i;
        if (out[i] != all) wrong(t, "reduced", i, (int)all, (int)out[i]);
    }
    if (out[n] != 0x3C) wrong(t, "reduced behind", n, 0x3C, (int)out[n]);
    free(in), free(out);
}

/* Everybody has something for everybody: alltoallv, allgatherv, gather and scatter. */
static void everybody(thread *t) {
    int how = (int)draw(&t->common, 4), base = size_of(t) / test_size, r, root = (int)draw(&t->common, (unsigned)test_size);
    int counts[64], back[64], at[64], at_back[64], i, total = 0, total_back = 0;
    unsigned char *out, *in;
    for (r = 0; r < test_size; r++) {
        counts[r] = how == 0 ? base / (1 + (test_rank + r) % 3) : how == 1 ? base / (1 + r % 3) : base;
        back[r] = how == 0 ? base / (1 + (r + test_rank) % 3) : counts[r];
        at[r] = total, at_back[r] = total_back;
        total += counts[r], total_back += back[r];
    }
    out = malloc((size_t)total + 1), in = malloc((size_t)total_back + 1);
    if (!out || !in) wrong(t, "memory", total, 1, 0);
    memset(in, 0x3C, (size_t)total_back + 1);
    for (r = 0; r < test_size; r++)
        for (i = 0; i < counts[r]; i++)
            out[at[r] + i] = test_byte(mark(t, test_rank, how == 0 ? r : how == 3 ? r + 50 : 0), (size_t)i);
    if (how == 0) MUST(MPI_Alltoallv(out, counts, at, MPI_BYTE, in, back, at_back, MPI_BYTE, t->alone));
    if (how == 1) MUST(MPI_Allgatherv(out + at[test_rank], counts[test_rank], MPI_BYTE, in, back, at_back, MPI_BYTE, t->alone));
    if (how == 2) MUST(MPI_Gather(out, base, MPI_BYTE, in, base, MPI_BYTE, root, t->alone));
    if (how == 3) MUST(MPI_Scatter(out, base, MPI_BYTE, in, base, MPI_BYTE, root, t->alone));
    for (r = 0; r < test_size; r++) {
        int from = how == 3 ? root : r, number = how == 0 ? test_rank : how == 3 ? test_rank + 50 : 0;
        if (how == 2 && root != test_rank) break;
        if (how == 3 && r > 0) break;
        for (i = 0; i < back[r]; i++)
            if (in[at_back[r] + i] != test_byte(mark(t, from, number), (size_t)i))
                wrong(t, "exchanged", i, test_byte(mark(t, from, number), (size_t)i), in[at_back[r] + i]);
    }
    if (in[total_back] != 0x3C) wrong(t, "exchanged behind", total_back, 0x3C, in[total_back]);
    free(out), free(in);
}

static void communicators(thread *t) {
    MPI_Comm part, again;
    int rank, size, sum, colour = (int)draw(&t->common, 2) ? test_rank % 2 : 0;
    MUST(MPI_Comm_split(t->alone, colour, -test_rank, &part));
    MUST(MPI_Comm_dup(part, &again));
    MUST(MPI_Comm_free(&part));
    MUST(MPI_Comm_rank(again, &rank));
    MUST(MPI_Comm_size(again, &size));
    MUST(MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, again));
    if (sum != size * (size - 1) / 2) wrong(t, "sum of ranks", size, size * (size - 1) / 2, sum);
    MUST(MPI_Comm_free(&again));
}

static void *run(void *argument) {
    thread *t = argument;
    int stop = 0;
    while (!stop) {
        switch (draw(&t->common, KINDS)) {
            case 0: batch(t); break;
            case 1: from_one(t); break;
            case 2: reductions(t); break;
            case 3: everybody(t); break;
            case 4: communicators(t); break;
            case 5: MUST(MPI_Barrier(t->alone)); break;
            default: shift(t);
        }
        t->steps++;
        if (t->steps % STOP_EVERY == 0) {
            stop = MPI_Wtime() - started > seconds;
            MUST(MPI_Bcast(&stop, 1, MPI_INT, 0, t->alone));
        }
    }
    return NULL;
}

int main(int argc, char **argv) {
    thread list[8];
    pthread_t handles[8];
    long long sums[3] = {0, 0, 0}, all[3];
    int provided, i;
    MPI_Comm shared;
    seed = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
    seconds = argc > 2 ? atof(argv[2]) : 5;
    threads = argc > 3 ? atoi(argv[3]) : 3;
    most = argc > 4 ? atoi(argv[4]) : 8 << 20;
    if (threads < 1 || threads > 8 || most < 16) return 2;
    MUST(MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided));
    MUST(MPI_Comm_rank(MPI_COMM_WORLD, &test_rank));
    MUST(MPI_Comm_size(MPI_COMM_WORLD, &test_size));
    /* A step is milliseconds; the slowest way to run this takes a hundred times as long. */
    test_watchdog((int)seconds + 240);
    if (provided < MPI_THREAD_MULTIPLE || test_size > 64) return 2;
    MUST(MPI_Comm_dup(MPI_COMM_WORLD, &shared));
    for (i = 0; i < threads; i++) {
        list[i] = (thread){.number = i, .common = seed * 64 + (unsigned)i, .shared = shared};
        list[i].own = list[i].common * 1000 + (unsigned)test_rank;
        MUST(MPI_Comm_dup(MPI_COMM_WORLD, &list[i].alone));
    }
    started = MPI_Wtime();
    for (i = 1; i < threads; i++)
        if (pthread_create(&handles[i], NULL, run, &list[i])) return 2;
    run(&list[0]);
    for (i = 1; i < threads; i++) pthread_join(handles[i], NULL);
    for (i = 0; i < threads; i++) {
        sums[0] += list[i].steps, sums[1] += list[i].messages, sums[2] += list[i].bytes;
        MUST(MPI_Comm_free(&list[i].alone));
    }
    MUST(MPI_Comm_free(&shared));
    MUST(MPI_Reduce(sums, all, 3, MPI_LONG_LONG, MPI_SUM, 0, MPI_COMM_WORLD));
    if (test_rank == 0)
        printf("ok %lld steps, %lld messages, %lld MiB, seed %llu\n", all[0], all[1], all[2] >> 20, seed);
    MUST(MPI_Finalize());
    return test_errors != 0;
}
