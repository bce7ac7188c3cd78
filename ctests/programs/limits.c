/* What this machine can do at best, as lines `name bytes value unit`: a cache line between two cores
 * and back, memcpy within cache and beyond it, waking a sleeping process. Two processes on the first
 * two cores that this one may use; no MPI. */
#define _GNU_SOURCE
#include <linux/futex.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

struct shared {
    _Alignas(128) _Atomic uint32_t ping;
    _Alignas(128) _Atomic uint32_t pong;
    _Alignas(128) _Atomic uint32_t last;
};

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* The cores that this process may use at first. */
static cpu_set_t may;

/* Puts this process on the n-th of them; the last one if there are fewer. */
static void pin(int n) {
    cpu_set_t one;
    int last = 0;
    for (int cpu = 0; cpu < CPU_SETSIZE && n >= 0; cpu++)
        if (CPU_ISSET(cpu, &may)) last = cpu, n--;
    CPU_ZERO(&one);
    CPU_SET(last, &one);
    sched_setaffinity(0, sizeof one, &one);
}

static void spin_until(_Atomic uint32_t *word, uint32_t value) {
    while (atomic_load_explicit(word, memory_order_acquire) != value) __builtin_ia32_pause();
}

static void sleep_until(_Atomic uint32_t *word, uint32_t value) {
    uint32_t seen;
    while ((seen = atomic_load(word)) != value) syscall(SYS_futex, word, FUTEX_WAIT, seen, NULL, NULL, 0);
}

static void set(_Atomic uint32_t *word, uint32_t value, int wake) {
    atomic_store_explicit(word, value, memory_order_release);
    if (wake) syscall(SYS_futex, word, FUTEX_WAKE, 1, NULL, NULL, 0);
}

/* Seconds of one way of a ping-pong between two processes, measured for a tenth of a second. */
static double exchange(struct shared *s, int sleeping) {
    void (*wait_for)(_Atomic uint32_t *, uint32_t) = sleeping ? sleep_until : spin_until;
    double begin, seconds;
    uint32_t i = 0;
    pid_t child;
    atomic_store(&s->ping, 0);
    atomic_store(&s->pong, 0);
    atomic_store(&s->last, UINT32_MAX);
    child = fork();
    if (child < 0) exit(1);
    if (child == 0) {
        /* Who it waits for may have ended. */
        alarm(60);
        pin(1);
        atomic_store(&s->pong, UINT32_MAX);
        for (i = 1; i != 0; i++) {
            wait_for(&s->ping, i);
            set(&s->pong, i, sleeping);
            if (i == atomic_load_explicit(&s->last, memory_order_relaxed)) break;
        }
        _exit(0);
    }
    pin(0);
    /* It begins on this core. */
    while (atomic_load(&s->pong) != UINT32_MAX) sched_yield();
    begin = now();
    do {
        i++;
        seconds = now() - begin;
        if (seconds > 0.1) atomic_store(&s->last, i);
        set(&s->ping, i, sleeping);
        wait_for(&s->pong, i);
    } while (seconds <= 0.1);
    seconds = (now() - begin) / i / 2;
    waitpid(child, NULL, 0);
    return seconds;
}

static double best(struct shared *s, int sleeping) {
    double least = 1e9;
    for (int i = 0; i < 5; i++) {
        double seconds = exchange(s, sleeping);
        if (seconds < least) least = seconds;
    }
    return least;
}

static void copies(size_t bytes) {
    char *from = aligned_alloc(4096, bytes), *to = aligned_alloc(4096, bytes);
    double least = 1e9;
    size_t times = (256u << 20) / bytes;
    if (!from || !to) exit(1);
    memset(from, 1, bytes);
    memset(to, 2, bytes);
    for (int round = 0; round < 5; round++) {
        double begin = now();
        for (size_t i = 0; i < times; i++) {
            memcpy(to, from, bytes);
            __asm__ volatile("" : : "r"(to), "r"(from) : "memory");
        }
        begin = (now() - begin) / (double)times;
        if (begin < least) least = begin;
    }
    printf("memcpy %zu %.1f GB/s\n", bytes, (double)bytes / least * 1e-9);
    free(from);
    free(to);
}

int main(void) {
    struct shared *s = mmap(NULL, sizeof *s, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (s == MAP_FAILED) return 1;
    sched_getaffinity(0, sizeof may, &may);
    alarm(60);
    printf("cache_line 64 %.0f ns one way\n", best(s, 0) * 1e9);
    printf("futex_wake 4 %.2f us one way\n", best(s, 1) * 1e6);
    for (size_t bytes = 8192; bytes <= 32u << 20; bytes *= 8) copies(bytes);
    return 0;
}
