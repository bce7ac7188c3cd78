/* Processes that nobody has started together (MPI-5.0, 11.9) find each other: each is a world of one, and each joins the
 * communicator of those who have come before. The program starts the others itself, before MPI, and gives them the name
 * of the first one's port through pipes. */
#include "common.h"

#include <sys/wait.h>

int main(int argc, char **argv) {
    MPI_Comm inter, next, comm;
    char port[MPI_MAX_PORT_NAME] = "", number[16];
    int pipes[16][2], children[16], count = 5, me = 0, i, word, sum, status, size;
    if (argc > 2) {
        count = atoi(argv[1]);
        me = atoi(argv[2]);
        /* From standard input, as that is one thing that every process has. */
        for (i = 0; i < (int)sizeof port && read(0, port + i, 1) == 1 && port[i] != '\n'; i++) continue;
        port[i] = 0;
    } else {
        if (argc > 1) count = atoi(argv[1]);
        for (i = 1; i < count; i++) {
            if (pipe(pipes[i]) != 0) return 9;
            children[i] = fork();
            if (children[i] == 0) {
                dup2(pipes[i][0], 0);
                close(pipes[i][1]);
                snprintf(port, sizeof port, "%d", count);
                snprintf(number, sizeof number, "%d", i);
                execl(argv[0], argv[0], port, number, (char *)NULL);
                _exit(9);
            }
            close(pipes[i][0]);
        }
    }
    test_start(&argc, &argv);
    EQUAL("a world of one", 1, test_size);
    test_rank = me;
    MUST(MPI_Comm_dup(MPI_COMM_SELF, &comm));
    if (me == 0) {
        MUST(MPI_Open_port(MPI_INFO_NULL, port));
        for (i = 1; i < count; i++) {
            EQUAL("a name leaves", (long long)strlen(port), (long long)write(pipes[i][1], port, strlen(port)));
            EQUAL("and its end", 1, (int)write(pipes[i][1], "\n", 1));
            close(pipes[i][1]);
        }
    }
    /* Who comes first is the second one, and so on: the port takes one after the other. */
    if (me > 0) {
        STEP("connect");
        MUST(MPI_Comm_connect(port, MPI_INFO_NULL, 0, comm, &inter));
        MUST(MPI_Comm_free(&comm));
        MUST(MPI_Intercomm_merge(inter, 1, &comm));
        MUST(MPI_Comm_disconnect(&inter));
    }
    for (;;) {
        MUST(MPI_Comm_size(comm, &size));
        if (size == count) break;
        STEP("accept");
        MUST(MPI_Comm_accept(port, MPI_INFO_NULL, 0, comm, &inter));
        MUST(MPI_Intercomm_merge(inter, 0, &next));
        MUST(MPI_Comm_disconnect(&inter));
        MUST(MPI_Comm_free(&comm));
        comm = next;
    }
    STEP("all together");
    for (i = 0; i < 100; i++) {
        word = me + i;
        MUST(MPI_Allreduce(&word, &sum, 1, MPI_INT, MPI_SUM, comm));
        EQUAL("sum", count * (count - 1) / 2 + count * i, sum);
    }
    MUST(MPI_Comm_disconnect(&comm));
    if (me > 0) return end_quietly();
    MUST(MPI_Close_port(port));
    for (i = 1; i < count; i++) {
        EQUAL("a child ends", children[i], (int)waitpid(children[i], &status, 0));
        EQUAL("its status", 0, status);
    }
    return test_finish();
}
