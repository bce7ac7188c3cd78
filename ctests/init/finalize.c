/* Finalize with everything still alive: communicators, types, requests of messages that were
 * received, and ranks that come to it at very different times. An argument is the number of small
 * messages that nobody reads: a mistake by the standard, but no reason to hang or to fail. */
#include "../test.h"
#include <time.h>

int main(int argc, char **argv) {
    MPI_Comm comm;
    MPI_Datatype type;
    MPI_Info info;
    MPI_Group group;
    MPI_Request request[50];
    struct timespec t;
    static int words[50][20000], got[20000];
    int i, errors, right, left, unread = argc > 1 ? atoi(argv[1]) : 0;
    test_start(&argc, &argv);
    right = (test_rank + 1) % test_size, left = (test_rank + test_size - 1) % test_size;
    MUST(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    MUST(MPI_Type_vector(2, 1, 2, MPI_INT, &type));
    MUST(MPI_Info_create(&info));
    MUST(MPI_Comm_group(comm, &group));
    errors = test_verdict();
    /* Sends whose requests are given up: finalize must deliver them before the process goes. */
    for (i = 0; i < 50; i++) {
        words[i][0] = i, words[i][19999] = -i;
        MPI_Isend(words[i], i % 2 ? 20000 : 1, MPI_INT, right, i, comm, &request[i]);
        MPI_Request_free(&request[i]);
    }
    t.tv_sec = 0, t.tv_nsec = test_rank * 200000000L;
    nanosleep(&t, NULL);
    for (i = 49; i >= 0; i--) {
        MPI_Recv(got, 20000, MPI_INT, left, i, comm, MPI_STATUS_IGNORE);
        if (got[0] != i || (i % 2 && got[19999] != -i)) {
            printf("rank %d: message %d was damaged: %d %d\n", test_rank, i, got[0], got[19999]);
            errors++;
        }
    }
    for (i = 0; i < unread; i++) MPI_Send(&i, 1, MPI_INT, right, 1000 + i, MPI_COMM_WORLD);
    MPI_Finalize();
    return errors != 0;
}
