/* Processes that no launcher has started: a ring and a sum over all; or one of them dies, or ends the job, while the others
 * wait for it.
 *
 *   meet [SIZE]          the world must have SIZE processes
 *   meet SIZE die        rank 1 kills itself
 *   meet SIZE root       the process that serves the others kills itself: rank 0
 *   meet SIZE abort      rank 1 calls MPI_Abort with 7
 *   meet SIZE late       rank 1 leaves MPI some time after the others */
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv) {
    int rank, size, token = -1, sum = 0, len, want = argc > 1 ? atoi(argv[1]) : 0;
    const char *what = argc > 2 ? argv[2] : "";
    char host[MPI_MAX_PROCESSOR_NAME];
    MPI_Request request;
    alarm(90);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Get_processor_name(host, &len);
    if (want && want != size) {
        printf("WRONG size %d, not %d\n", size, want);
        return 3;
    }
    MPI_Isend(&rank, 1, MPI_INT, (rank + 1) % size, 5, MPI_COMM_WORLD, &request);
    MPI_Recv(&token, 1, MPI_INT, (rank + size - 1) % size, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (token != (rank + size - 1) % size || sum != size * (size - 1) / 2) {
        printf("WRONG rank %d: token %d, sum %d\n", rank, token, sum);
        return 3;
    }
    if (rank == 1 && !strcmp(what, "abort"))
        MPI_Abort(MPI_COMM_WORLD, 7);
    if (rank == 1 && !strcmp(what, "die"))
        raise(SIGKILL);
    if (rank == 0 && !strcmp(what, "root"))
        raise(SIGKILL);
    if (rank == 1 && !strcmp(what, "late"))
        sleep(1);
    if (*what && strcmp(what, "late"))
        MPI_Recv(&token, 1, MPI_INT, MPI_ANY_SOURCE, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    printf("ok rank %d of %d on %s\n", rank, size, host);
    return 0;
}
