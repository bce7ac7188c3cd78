/* MPI_Abort: the job ends at once with the code given (7, or the second argument), also when the other ranks compute, wait in a
 * collective, or when it is called from a signal handler that interrupts the library. */
#include "../test.h"
#include <time.h>

static int code = 7;

static void on_signal(int sig) {
    (void)sig;
    MPI_Abort(MPI_COMM_WORLD, code);
}

int main(int argc, char **argv) {
    const char *how;
    int word, last;
    test_deadline = 20;
    test_start(&argc, &argv);
    how = argc > 1 ? argv[1] : "collective";
    if (argc > 2) code = atoi(argv[2]);
    last = test_rank == test_size - 1;
    if (strcmp(how, "self") == 0) {
        /* Aborting MPI_COMM_SELF ends at least this process, and a launcher then ends the rest. */
        if (last) MPI_Abort(MPI_COMM_SELF, code);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    if (strcmp(how, "collective") == 0) {
        if (last) MPI_Abort(MPI_COMM_WORLD, code);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    if (strcmp(how, "compute") == 0) {
        struct timespec t;
        t.tv_sec = 15, t.tv_nsec = 0;
        if (last) MPI_Abort(MPI_COMM_WORLD, code);
        nanosleep(&t, NULL);
    }
    if (strcmp(how, "signal") == 0) {
        if (last) {
            struct sigaction action;
            memset(&action, 0, sizeof action);
            action.sa_handler = on_signal;
            sigaction(SIGALRM, &action, NULL);
            alarm(1);
        }
        /* Nobody sends this: the signal arrives inside the library. */
        MPI_Recv(&word, 1, MPI_INT, MPI_ANY_SOURCE, 12345, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    printf("rank %d went on after MPI_Abort\n", test_rank);
    return 0;
}
