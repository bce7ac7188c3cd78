/* Children of a rank have no MPI: what they call is an error with one line, which ends a child and nobody else;
 * MPI_Finalize returns one. What tells about MPI answers. The rank and the job go on, also if a child ends in
 * any way, and what a child executes may use MPI. With `threads` another thread waits in MPI meanwhile; with
 * `returns` the initial error handler returns, with `world` that of MPI_COMM_WORLD. */
#include "../test.h"
#include <pthread.h>
#include <spawn.h>
#include <sys/wait.h>

enum { ROUNDS = 30, LONG = 30000 };

static int returns, threads;

/* How a child ends that runs `what`, and what it says on standard error. */
static int child(int (*what)(void), char *said, size_t room) {
    int ends[2], status = -1, got;
    size_t length = 0;
    pid_t pid;
    CHECK(pipe(ends) == 0, "no pipe");
    fflush(stdout);
    pid = fork();
    if (pid == 0) {
        dup2(ends[1], 2);
        close(ends[0]);
        close(ends[1]);
        _exit(what());
    }
    close(ends[1]);
    while ((got = (int)read(ends[0], said + length, room - 1 - length)) > 0) length += (size_t)got;
    said[length] = 0;
    close(ends[0]);
    CHECK(waitpid(pid, &status, 0) == pid, "no child");
    CHECK(WIFEXITED(status), "a child was ended by signal %d", WTERMSIG(status));
    return WEXITSTATUS(status);
}

static int sum(void) {
    int one = 1, all = 0, code = MPI_Allreduce(&one, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    return code == MPI_SUCCESS ? 100 : 101;
}

static int message(void) {
    int code = MPI_Send(&returns, 1, MPI_INT, 0, 77, MPI_COMM_WORLD);
    return code == MPI_SUCCESS ? 100 : 101;
}

static int again(void) { return MPI_Init(NULL, NULL) == MPI_SUCCESS ? 100 : 101; }

static int answers(void) {
    int initialized = 0, finalized = 0, version, subversion, length;
    char text[MPI_MAX_LIBRARY_VERSION_STRING];
    MPI_Info info;
    MPI_Initialized(&initialized);
    MPI_Finalized(&finalized);
    if (!initialized || !finalized) return 20;
    if (MPI_Get_version(&version, &subversion) || version != MPI_VERSION) return 21;
    if (MPI_Get_library_version(text, &length)) return 22;
    if (MPI_Wtime() <= 0) return 23;
    /* Another thread of the parent may have been in the middle of a change of objects. */
    if (!threads && (MPI_Info_create(&info) || MPI_Info_free(&info))) return 24;
    return 7;
}

/* Both calls fail, and one line is said. */
static int finalize(void) {
    if (MPI_Finalize() == MPI_SUCCESS) return 20;
    if (MPI_Finalize() == MPI_SUCCESS) return 21;
    return 8;
}

static int aborts(void) {
    MPI_Abort(MPI_COMM_WORLD, 9);
    return 20;
}

static char *self;

static int executes(void) {
    execl(self, self, "alone", (char *)NULL);
    return 20;
}

static void says(const char *call, int expected, int got, const char *said) {
    char start[100];
    const char *end = strchr(said, '\n');
    snprintf(start, sizeof start, "anympi: %s: this process (", call);
    EQUAL(call, expected, got);
    CHECK(strncmp(said, start, strlen(start)) == 0 && strstr(said, " is a fork of an MPI process (rank ") && end && !end[1],
          "%s says '%s'", call, said);
}

static int forks_inside = 0, inside = -1;

/* A child that this leaves in the middle of a call of its parent's. */
static void combine(void *in, void *out, int *length, MPI_Datatype *type) {
    int i, status = 0;
    (void)type;
    for (i = 0; i < *length; i++) ((int *)out)[i] += ((int *)in)[i];
    if (forks_inside) {
        pid_t pid;
        forks_inside = 0;
        pid = fork();
        if (pid == 0) {
            close(2);
            return;
        }
        inside = pid > 0 && waitpid(pid, &status, 0) == pid && WIFEXITED(status) ? WEXITSTATUS(status) : -2;
    }
}

static void family(void) {
    static char said[2000];
    extern char **environ;
    char name[] = "true", *list[] = {name, NULL};
    int fails = returns ? 101 : 16, status = -1;
    pid_t pid;
    STEP("calls of a child");
    says("MPI_Allreduce", fails, child(sum, said, sizeof said), said);
    says("MPI_Send", fails, child(message, said, sizeof said), said);
    says("MPI_Init", fails, child(again, said, sizeof said), said);
    says("MPI_Finalize", 8, child(finalize, said, sizeof said), said);
    says("MPI_Abort", 9, child(aborts, said, sizeof said), said);
    STEP("what tells about MPI");
    EQUAL("answers", 7, child(answers, said, sizeof said));
    CHECK(said[0] == 0, "answers say '%s'", said);
    STEP("exec");
    EQUAL("executes", 0, child(executes, said, sizeof said));
    CHECK(said[0] == 0, "the program says '%s'", said);
    STEP("vfork and spawn");
    CHECK(posix_spawnp(&pid, "true", NULL, NULL, list, environ) == 0 && waitpid(pid, &status, 0) == pid && status == 0,
          "status %d", status);
    CHECK(system("true") == 0, "system fails");
}

static void *wait_for_message(void *unused) {
    int got = 0;
    (void)unused;
    MUST(MPI_Recv(&got, 1, MPI_INT, test_rank, 55, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    EQUAL("message to the other thread", 1234, got);
    return NULL;
}

int main(int argc, char **argv) {
    static int out[LONG], in[LONG];
    int i, k, all, code, provided;
    pthread_t thread;
    MPI_Op op;
    self = argv[0];
    if (argc > 1 && strcmp(argv[1], "alone") == 0) {
        MPI_Init(&argc, &argv);
        MPI_Comm_size(MPI_COMM_WORLD, &all);
        MPI_Finalize();
        return all == 1 ? 0 : 3;
    }
    returns = argc > 1 && strcmp(argv[1], "returns") == 0;
    threads = argc > 1 && strcmp(argv[1], "threads") == 0;
    test_watchdog(test_deadline);
    MPI_Init_thread(&argc, &argv, threads ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, &provided);
    test_started();
    if (argc > 1 && strcmp(argv[1], "world") == 0) {
        MUST(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
        returns = 1;
    }
    if (threads) pthread_create(&thread, NULL, wait_for_message, NULL);
    for (k = 0; k < ROUNDS; k++) {
        int to = (test_rank + 1) % test_size, from = (test_rank + test_size - 1) % test_size;
        /* The others are in the middle of something meanwhile. */
        if (k % 10 == 0 && test_rank == 0) family();
        STEP("the job goes on");
        for (i = 0; i < LONG; i++) out[i] = test_rank * 1000 + i + k;
        MUST(MPI_Sendrecv(out, LONG, MPI_INT, to, k, in, LONG, MPI_INT, from, k, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        for (i = 0; i < LONG && in[i] == from * 1000 + i + k; i++) continue;
        EQUAL("words that are right", LONG, i);
        MUST(MPI_Allreduce(&test_rank, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
        EQUAL("sum", test_size * (test_size - 1) / 2, all);
    }
    STEP("a child of a callback");
    MUST(MPI_Op_create(combine, 1, &op));
    forks_inside = test_rank == 0;
    code = 1;
    for (i = 0; i < test_size; i++) {
        MUST(MPI_Reduce(&code, &all, 1, MPI_INT, op, 0, MPI_COMM_WORLD));
        if (test_rank == 0) EQUAL("ones", test_size, all);
    }
    MUST(MPI_Op_free(&op));
    if (test_rank == 0 && test_size > 1) EQUAL("the child of a callback", 16, inside);
    if (threads) {
        code = 1234;
        MUST(MPI_Send(&code, 1, MPI_INT, test_rank, 55, MPI_COMM_WORLD));
        pthread_join(thread, NULL);
    }
    return test_finish();
}
