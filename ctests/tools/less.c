/* less WORD... -- PROGRAM ARGUMENT...: runs a program with less than the system gives. A WORD is
 * `one-core`, `addresses:KIB`, which limits the addresses of each process as `ulimit -v` does, or the name of
 * a system call, which fails from then on, as where a container forbids it or the kernel is too old for it.
 * Whether it fails is seen before the program starts. Where the system does
 * not let itself be cut down, the last line says why and the exit status is 77. */
#define _GNU_SOURCE
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { CANNOT = 77, WRONG = 2 };

static const struct {
    const char *name;
    unsigned number;
    int error;
} calls[] = {
    {"memfd_create", __NR_memfd_create, ENOSYS},
    {"membarrier", __NR_membarrier, ENOSYS},
    {"process_vm_readv", __NR_process_vm_readv, EPERM},
    {"process_vm_writev", __NR_process_vm_writev, EPERM},
};

static void cannot(const char *what) {
    fprintf(stderr, "less: the system does not allow %s: %s\n", what, strerror(errno));
    exit(CANNOT);
}

static void one_core(void) {
    cpu_set_t all, one;
    int i;
    CPU_ZERO(&one);
    if (sched_getaffinity(0, sizeof all, &all)) cannot("sched_getaffinity");
    for (i = 0; i < CPU_SETSIZE - 1 && !CPU_ISSET(i, &all); i++) continue;
    CPU_SET(i, &one);
    if (sched_setaffinity(0, sizeof one, &one)) cannot("sched_setaffinity");
}

static void addresses(const char *kib) {
    struct rlimit limit;
    limit.rlim_cur = limit.rlim_max = strtoull(kib, NULL, 10) << 10;
    if (setrlimit(RLIMIT_AS, &limit)) cannot("RLIMIT_AS");
}

static void refuse(const char *name) {
    size_t i, count = sizeof calls / sizeof calls[0];
    for (i = 0; i < count && strcmp(calls[i].name, name); i++) continue;
    if (i == count) {
        fprintf(stderr, "less: no word of mine: %s\n", name);
        exit(WRONG);
    }
    struct sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, calls[i].number, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (unsigned)calls[i].error),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog filter = {sizeof code / sizeof code[0], code};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)) cannot("PR_SET_NO_NEW_PRIVS");
    if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter, 0, 0)) cannot("a seccomp filter");
    if (syscall(calls[i].number, 0, 0, 0, 0, 0, 0) != -1 || errno != calls[i].error) {
        fprintf(stderr, "less: %s is not refused\n", name);
        exit(WRONG);
    }
}

int main(int argc, char **argv) {
    int i;
    for (i = 1; i < argc && strcmp(argv[i], "--"); i++) {
        if (strcmp(argv[i], "one-core") == 0)
            one_core();
        else if (strncmp(argv[i], "addresses:", 10) == 0)
            addresses(argv[i] + 10);
        else
            refuse(argv[i]);
    }
    if (i + 1 >= argc) {
        fprintf(stderr, "less: WORD... -- PROGRAM ARGUMENT...\n");
        return WRONG;
    }
    execvp(argv[i + 1], argv + i + 1);
    perror(argv[i + 1]);
    return WRONG;
}
