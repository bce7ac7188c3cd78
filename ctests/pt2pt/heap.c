/* Memory that other processes can map: blocks of MPI_Alloc_mem, or with the word `malloc` those of an allocator
 * that was loaded before the program. Messages and collectives with such buffers on both sides or on one, of all
 * sizes around the protocols' switches; blocks that are freed, reused, resized; forks in between. The second word
 * says whether the other processes' memory must have been mapped (`mapped`) or must not (`apart`), and that this is our
 * library. */
#define _GNU_SOURCE
#include "../test.h"
#include <errno.h>
#include <malloc.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/wait.h>

static const size_t sizes[] = {1,         4095,      4096,         8191,    8192,     16383,    16384,        16385,
                               16384 * 2, 65535,     65536,        65537,   131072,   131073,   262144 + 100, 524288 + 7,
                               1 << 20,   (1 << 20) + 1, (2 << 20) - 1, 3 << 20};
enum { SIZES = sizeof sizes / sizeof sizes[0], LARGEST = 3 << 20, BLOCKS = 120, THREADS = 4 };

static int from_malloc;

static void *take(size_t bytes) {
    void *p = NULL;
    if (from_malloc) return test_alloc(bytes);
    MUST(MPI_Alloc_mem((MPI_Aint)bytes, MPI_INFO_NULL, &p));
    return p;
}

static void give(void *p) {
    if (from_malloc) free(p);
    else MUST(MPI_Free_mem(p));
}

/* Memory that no other process can map. */
static unsigned char *own_pages(size_t bytes) {
    void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(p != MAP_FAILED, "no memory");
    return p;
}

static int peer_of(int rank) { return (rank ^ 1) < test_size ? rank ^ 1 : MPI_PROC_NULL; }

/* One way, then the other way, then both at once. */
static void messages(unsigned char *out, unsigned char *in, const char *what) {
    int i, peer = peer_of(test_rank), first = test_rank & 1;
    MPI_Status status;
    if (peer == MPI_PROC_NULL) return;
    STEP(what);
    for (i = 0; i < SIZES; i++) {
        int bytes = (int)sizes[i], turn;
        unsigned mine = (unsigned)(test_rank * 3 + i), theirs = (unsigned)(peer * 3 + i);
        test_fill(out, sizes[i], mine);
        for (turn = 0; turn < 3; turn++) {
            memset(in, 0xA5, sizes[i] + 1);
            memset(&status, 0, sizeof status);
            if (turn == 2) {
                MUST(MPI_Sendrecv(out, bytes, MPI_BYTE, peer, 2, in, bytes, MPI_BYTE, peer, 2, MPI_COMM_WORLD, &status));
            } else if (turn == first) {
                MUST(MPI_Send(out, bytes, MPI_BYTE, peer, turn, MPI_COMM_WORLD));
                continue;
            } else {
                MUST(MPI_Recv(in, bytes, MPI_BYTE, peer, turn, MPI_COMM_WORLD, &status));
            }
            CHECK_STATUS(what, &status, peer, turn, MPI_BYTE, bytes);
            CHECK_FILL(what, in, sizes[i], theirs);
            EQUAL(what, 0xA5, in[sizes[i]]);
        }
        CHECK_FILL(what, out, sizes[i], mine);
    }
}

/* Both send before they receive, and change their buffers in between. A program may not count on that (MPI-5.0, 3.5);
 * with this library it may, up to 16 KiB. */
static void both_send_first(unsigned char *out, unsigned char *in) {
    int i, peer = peer_of(test_rank);
    if (peer == MPI_PROC_NULL) return;
    STEP("both send first");
    for (i = 0; i < SIZES && sizes[i] <= 16384; i++) {
        int bytes = (int)sizes[i];
        test_fill(out, sizes[i], (unsigned)(test_rank + i));
        MUST(MPI_Send(out, bytes, MPI_BYTE, peer, 0, MPI_COMM_WORLD));
        memset(out, 0xA5, sizes[i]);
        MUST(MPI_Recv(in, bytes, MPI_BYTE, peer, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        CHECK_FILL("both send first", in, sizes[i], (unsigned)(peer + i));
    }
}

/* Blocks with holes on one side; the beginning of a block is not the beginning of a message. */
static void types(unsigned char *out, unsigned char *in) {
    int peer = peer_of(test_rank), i, side;
    enum { COUNT = 3000, LENGTH = 40, STRIDE = 100 };
    MPI_Datatype vector;
    if (peer == MPI_PROC_NULL) return;
    STEP("types");
    MUST(MPI_Type_vector(COUNT, LENGTH, STRIDE, MPI_BYTE, &vector));
    MUST(MPI_Type_commit(&vector));
    for (side = 0; side < 2; side++) {
        test_fill(out, COUNT * STRIDE + 17, (unsigned)test_rank);
        memset(in, 0, COUNT * STRIDE + 17);
        MUST(MPI_Sendrecv(out + 17, side ? 1 : COUNT * LENGTH, side ? vector : MPI_BYTE, peer, 0, in + 17,
                          side ? COUNT * LENGTH : 1, side ? MPI_BYTE : vector, peer, 0, MPI_COMM_WORLD,
                          MPI_STATUS_IGNORE));
        for (i = 0; i < COUNT * LENGTH; i++) {
            size_t holed = (size_t)(i / LENGTH * STRIDE + i % LENGTH), dense = (size_t)i;
            size_t from = 17 + (side ? holed : dense), to = 17 + (side ? dense : holed);
            if (in[to] != test_byte((unsigned)peer, from)) {
                CHECK(0, "side %d, byte %d is wrong", side, i);
                break;
            }
        }
    }
    MUST(MPI_Type_free(&vector));
}

static unsigned next_random(unsigned *state) { return (*state = *state * 1103515245u + 12345u) >> 8; }

/* Blocks come and go; what is in one never changes by what happens to another, and a message leaves from each. */
static void blocks(void) {
    unsigned char *block[BLOCKS] = {0};
    size_t length[BLOCKS] = {0};
    unsigned state = 7, round;
    int peer = peer_of(test_rank);
    unsigned char *in = own_pages(400000);
    STEP("blocks");
    for (round = 0; round < 6 * BLOCKS; round++) {
        /* The same on all ranks. */
        unsigned i = next_random(&state) % BLOCKS, bytes = 1 + next_random(&state) % 300000;
        if (block[i]) {
            CHECK_FILL("a block", block[i], length[i], i);
            if (peer != MPI_PROC_NULL) {
                MUST(MPI_Sendrecv(block[i], (int)length[i], MPI_BYTE, peer, 1, in, (int)length[i], MPI_BYTE, peer, 1,
                                  MPI_COMM_WORLD, MPI_STATUS_IGNORE));
                CHECK_FILL("a peer's block", in, length[i], i);
            }
            give(block[i]);
            block[i] = NULL;
        } else {
            block[i] = take(bytes);
            length[i] = bytes;
            test_fill(block[i], bytes, i);
        }
    }
    for (round = 0; round < BLOCKS; round++)
        if (block[round]) {
            CHECK_FILL("a block at the end", block[round], length[round], round);
            give(block[round]);
        }
    munmap(in, 400000);
}

/* A buffer may go as soon as its message has left. */
static void freed_early(void) {
    int i, peer = peer_of(test_rank), bytes = 500000;
    if (peer == MPI_PROC_NULL) return;
    STEP("freed early");
    for (i = 0; i < 40; i++) {
        unsigned char *p = take((size_t)bytes);
        if (((test_rank ^ i) & 1) == 0) {
            test_fill(p, (size_t)bytes, (unsigned)i);
            MUST(MPI_Send(p, bytes, MPI_BYTE, peer, i, MPI_COMM_WORLD));
            memset(p, 0, (size_t)bytes);
        } else {
            MUST(MPI_Recv(p, bytes, MPI_BYTE, peer, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
            CHECK_FILL("a message", p, (size_t)bytes, (unsigned)i);
        }
        give(p);
    }
}

static void collectives(void) {
    static const int lengths[] = {100, 4096, 10000, 70000, 300000};
    int i, k, r;
    STEP("collectives");
    for (i = 0; i < 5; i++) {
        int n = lengths[i];
        unsigned char *one = take((size_t)n), *all = take((size_t)n * (size_t)test_size);
        unsigned char *other = take((size_t)n * (size_t)test_size);
        int *sum = take((size_t)n * sizeof(int)), *values = take((size_t)n * sizeof(int));
        for (k = 0; k < 6; k++) {
            unsigned seed = (unsigned)(k * 50 + i);
            test_fill(one, (size_t)n, seed + (unsigned)test_rank);
            MUST(MPI_Allgather(one, n, MPI_BYTE, all, n, MPI_BYTE, MPI_COMM_WORLD));
            for (r = 0; r < test_size; r++)
                CHECK_FILL("allgather", all + (size_t)r * (size_t)n, (size_t)n, seed + (unsigned)r);
            MUST(MPI_Alltoall(all, n, MPI_BYTE, other, n, MPI_BYTE, MPI_COMM_WORLD));
            for (r = 0; r < test_size; r++)
                CHECK_FILL("alltoall", other + (size_t)r * (size_t)n, (size_t)n, seed + (unsigned)test_rank);
            MUST(MPI_Gather(one, n, MPI_BYTE, other, n, MPI_BYTE, k % test_size, MPI_COMM_WORLD));
            if (test_rank == k % test_size) {
                for (r = 0; r < test_size; r++)
                    CHECK_FILL("gather", other + (size_t)r * (size_t)n, (size_t)n, seed + (unsigned)r);
            }
            MUST(MPI_Scatter(other, n, MPI_BYTE, one, n, MPI_BYTE, k % test_size, MPI_COMM_WORLD));
            CHECK_FILL("scatter", one, (size_t)n, seed + (unsigned)test_rank);
            MUST(MPI_Bcast(one, n, MPI_BYTE, k % test_size, MPI_COMM_WORLD));
            CHECK_FILL("bcast", one, (size_t)n, seed + (unsigned)(k % test_size));
            for (r = 0; r < n; r++) values[r] = r + test_rank * k;
            MUST(MPI_Allreduce(values, sum, n, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
            for (r = 0; r < n; r++)
                if (sum[r] != r * test_size + k * (test_size * (test_size - 1) / 2)) break;
            EQUAL("allreduce", n, r);
        }
        give(one), give(all), give(other), give(sum), give(values);
    }
}

/* A child has what its parent had, and changes nothing of it, whatever it does. */
static void forks(void) {
    enum { N = 200000 };
    unsigned char *p = take(N), *q = take(N);
    int status = -1, round;
    pid_t child;
    STEP("forks");
    for (round = 0; round < 3; round++) {
        test_fill(p, N, 5), test_fill(q, N, 6);
        child = fork();
        if (child == 0) {
            size_t i;
            int wrong = 0;
            enum { MORE = 50, LENGTH = 1 << 20 };
            unsigned char *more[MORE];
            for (i = 0; i < N; i++) wrong += p[i] != test_byte(5, i);
            memset(p, 1, N);
            if (from_malloc) {
                q = realloc(q, 2 * N);
                for (i = 0; i < N; i++) wrong += q[i] != test_byte(6, i);
            }
            for (i = 0; i < MORE; i++) {
                more[i] = malloc(LENGTH);
                memset(more[i], (int)i, LENGTH);
            }
            child = fork();
            if (child == 0) {
                for (i = 0; i < N; i++) wrong += p[i] != 1;
                for (i = 0; i < MORE; i++) wrong += more[i][0] != i || more[i][LENGTH - 1] != i;
                memset(p, 2, N);
                _exit(wrong ? 8 : 0);
            }
            wrong += waitpid(child, &status, 0) != child || status != 0;
            for (i = 0; i < N; i++) wrong += p[i] != 1;
            for (i = 0; i < MORE; i++) free(more[i]);
            if (from_malloc) free(p), free(q);
            _exit(wrong ? 7 : 0);
        }
        CHECK(child > 0, "fork: %s", strerror(errno));
        CHECK(waitpid(child, &status, 0) == child, "waitpid: %s", strerror(errno));
        EQUAL("the child's verdict", 0, status);
        CHECK_FILL("after the fork", p, N, 5);
        CHECK_FILL("after the fork", q, N, 6);
        EQUAL("system()", 0, system("exit 0"));
    }
    give(p), give(q);
}

/* What C says of its allocator. */
static void c_allocator(void) {
    size_t length = 1000, i;
    unsigned char *p = test_alloc(length), *q;
    void *aligned = NULL;
    STEP("C's allocator");
    test_fill(p, length, 3);
    while (length < 6000000) {
        size_t before = length;
        length = length * 3 / 2;
        p = realloc(p, length);
        CHECK(p && malloc_usable_size(p) >= length, "realloc to %lu", (unsigned long)length);
        CHECK_FILL("grown", p, before, 3);
        test_fill(p, length, 3);
    }
    while (length > 1000) {
        length = length * 2 / 3;
        p = realloc(p, length);
        CHECK_FILL("shrunk", p, length, 3);
    }
    free(p);
    for (length = 1000; length < 5000000; length = length * 2 + 1) {
        p = malloc(length);
        memset(p, 0xff, length);
        free(p);
        q = calloc(1, length);
        for (i = 0; i < length && q[i] == 0; i++) {
        }
        EQUAL("zero bytes of calloc", length, i);
        free(q);
    }
    for (i = 16; i <= (4u << 20); i *= 4) {
        EQUAL("posix_memalign", 0, posix_memalign(&aligned, i, 100000));
        EQUAL("alignment", 0, (uintptr_t)aligned % i);
        memset(aligned, 1, 100000);
        free(aligned);
        aligned = aligned_alloc(i, 4u << 20);
        EQUAL("alignment", 0, (uintptr_t)aligned % i);
        memset(aligned, 1, 4u << 20);
        free(aligned);
    }
    EQUAL("no power of two", EINVAL, posix_memalign(&aligned, 24, 100000));
    errno = 0;
    CHECK(malloc(SIZE_MAX / 4) == NULL && errno == ENOMEM, "more than there is");
    CHECK(calloc(SIZE_MAX / 2, 4) == NULL, "a product beyond all numbers");
    /* More than a heap has room for comes from elsewhere, as far as the system has it. */
    p = malloc((size_t)1 << 42);
    free(p);
}

static void *threaded(void *argument) {
    unsigned seed = *(unsigned *)argument, state = seed, round;
    unsigned char *block[8] = {0};
    size_t length[8] = {0};
    for (round = 0; round < 3000; round++) {
        unsigned i = next_random(&state) % 8;
        if (block[i]) {
            size_t last = length[i] - 1;
            if (block[i][0] != (unsigned char)seed || block[i][last] != (unsigned char)seed) return argument;
            free(block[i]);
            block[i] = NULL;
        } else {
            length[i] = 50000 + next_random(&state) % 100000;
            block[i] = malloc(length[i]);
            block[i][0] = block[i][length[i] - 1] = (unsigned char)seed;
        }
    }
    for (round = 0; round < 8; round++) free(block[round]);
    return NULL;
}

static void threads(void) {
    pthread_t thread[THREADS];
    unsigned seed[THREADS];
    void *result;
    int i;
    STEP("threads");
    for (i = 0; i < THREADS; i++) {
        seed[i] = (unsigned)i + 1;
        EQUAL("pthread_create", 0, pthread_create(&thread[i], NULL, threaded, &seed[i]));
    }
    for (i = 0; i < THREADS; i++) {
        pthread_join(thread[i], &result);
        CHECK(result == NULL, "thread %d: a block has changed", i);
    }
}

/* Heaps of other processes that this process has mapped: files of that name but for the own one. */
static int mapped(void) {
    FILE *maps = fopen("/proc/self/maps", "r");
    unsigned long inode, seen[64];
    int count = 0, i;
    char line[600];
    while (maps && fgets(line, sizeof line, maps)) {
        if (!strstr(line, "/memfd:anympi-heap") || sscanf(line, "%*s %*s %*s %*s %lu", &inode) != 1) continue;
        for (i = 0; i < count && seen[i] != inode; i++) {
        }
        if (i == count && count < 64) seen[count++] = inode;
    }
    if (maps) fclose(maps);
    return count - 1;
}

static void errors(void) {
    char *p = NULL;
    STEP("errors");
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    FAILS(MPI_ERR_ARG, MPI_Alloc_mem(-1, MPI_INFO_NULL, &p));
    MUST(MPI_Alloc_mem(0, MPI_INFO_NULL, &p));
    MUST(MPI_Free_mem(p));
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
}

int main(int argc, char **argv) {
    unsigned char *shared[2], *apart[2];
    const char *expected = argc > 2 ? argv[2] : "";
    int i;
    from_malloc = argc > 1 && strcmp(argv[1], "malloc") == 0;
    if (from_malloc) c_allocator();
    test_start(&argc, &argv);
    errors();
    for (i = 0; i < 2; i++) shared[i] = take(LARGEST + 1), apart[i] = own_pages(LARGEST + 1);
    messages(shared[0], shared[1], "both buffers can be mapped");
    messages(shared[0], apart[1], "the sender's can be mapped");
    messages(apart[0], shared[1], "the receiver's can be mapped");
    messages(apart[0], apart[1], "none can be mapped");
    if (strcmp(expected, "mapped") == 0 && peer_of(test_rank) != MPI_PROC_NULL)
        CHECK(mapped() > 0, "no heap of another process is mapped");
    if (strcmp(expected, "apart") == 0) CHECK(mapped() <= 0, "the heap of another process is mapped");
    if (*expected) both_send_first(shared[0], apart[1]);
    types(shared[0], shared[1]);
    types(shared[0], apart[1]);
    types(apart[0], shared[1]);
    blocks();
    freed_early();
    collectives();
    forks();
    if (from_malloc) {
        c_allocator();
        threads();
    }
    /* After forks everything goes on as before. */
    messages(shared[0], shared[1], "both buffers can be mapped, again");
    for (i = 0; i < 2; i++) give(shared[i]);
    return test_finish();
}
