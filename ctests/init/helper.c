/* A rank that another program starts: Python's subprocess, sudo and many others close all descriptors before they
 * execute it, and a shell may put it into the background and end. The program executes itself as that rank.
 *
 * First argument: what the helper does. Second: what the rank does besides. */
#define _GNU_SOURCE
#include "../test.h"
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>

static void doze(int ms) {
    struct timespec t;
    t.tv_sec = ms / 1000, t.tv_nsec = ms % 1000 * 1000000L;
    nanosleep(&t, NULL);
}

static void close_all(void) {
    int fd;
    for (fd = 3; fd < 1024; fd++) close(fd);
}

/* The number of the descriptor that the environment names is by now another socket. */
static void replace(void) {
    const char *number = getenv("PMI_FD");
    int pair[2];
    close_all();
    if (number == NULL || socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0) exit(5);
    if (dup2(pair[0], atoi(number)) < 0) exit(5);
}

/* Executes this program as a rank in a new process; gives its number. */
static pid_t start(char *program, char *mode, const char *how) {
    pid_t child = fork();
    if (child != 0) return child;
    if (strcmp(how, "close") == 0) close_all();
    if (strcmp(how, "replace") == 0) replace();
    if (strcmp(how, "session") == 0) {
        setsid();
        close_all();
    }
    if (strcmp(how, "background") == 0) doze(200);
    execl(program, program, "rank", mode, (char *)NULL);
    _exit(6);
}

static int status_of(pid_t child) {
    int status = 0;
    if (waitpid(child, &status, 0) != child) return 5;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static int helper(char *program, const char *how, char *mode) {
    pid_t child;
    int status;
    if (strcmp(how, "twice") == 0) {
        status = status_of(start(program, mode, "close"));
        if (status != 0) return status;
        how = "close";
    }
    child = start(program, mode, how);
    if (strcmp(how, "background") == 0) return 0;
    /* mpiexec shall notice by itself how a rank has ended. */
    status = status_of(child);
    if (strcmp(mode, "good") != 0) doze(50000);
    return status;
}

/* A process below a rank that has called MPI_Init is a world of its own. */
static void start_another(char *program) {
    EQUAL("exit status of a program that a rank starts", 0, status_of(start(program, "alone", "close")));
    EQUAL("the same with its descriptors kept", 0, status_of(start(program, "alone", "keep")));
}

static int alone(int argc, char **argv) {
    int size = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Finalize();
    return size == 1 ? 0 : 4;
}

int main(int argc, char **argv) {
    const char *size = getenv("PMI_SIZE");
    char *mode = argc > 2 ? argv[2] : "good";
    int sum = 0;
    if (argc > 1 && strcmp(argv[1], "rank") != 0) return helper(argv[0], argv[1], mode);
    if (strcmp(mode, "alone") == 0) return alone(argc, argv);
    test_start(&argc, &argv);
    EQUAL("number of ranks", size == NULL ? -1 : atoi(size), test_size);
    MUST(MPI_Allreduce(&test_rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    EQUAL("sum of the ranks", test_size * (test_size - 1) / 2, sum);
    if (strcmp(mode, "good") == 0) {
        start_another(argv[0]);
        return test_finish();
    }
    if (test_rank == 1) {
        if (strcmp(mode, "signal") == 0) raise(SIGKILL);
        if (strcmp(mode, "abort") == 0) MPI_Abort(MPI_COMM_WORLD, 7);
        exit(strcmp(mode, "code") == 0 ? 3 : 0);
    }
    /* It never comes. */
    MPI_Recv(&sum, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return 0;
}
