/* Wrong on purpose: two threads use the library at once below MPI_THREAD_MULTIPLE. A checker of threads
 * that does not report this one sees nothing. */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>

static void *exchange(void *tag) {
    int i, out = 1, in;
    for (i = 0; i < 200; i++)
        MPI_Sendrecv(&out, 1, MPI_INT, 0, *(int *)tag, &in, 1, MPI_INT, 0, *(int *)tag, MPI_COMM_SELF,
                     MPI_STATUS_IGNORE);
    return NULL;
}

int main(int argc, char **argv) {
    int provided, tags[2] = {1, 2};
    pthread_t thread;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    pthread_create(&thread, NULL, exchange, &tags[0]);
    exchange(&tags[1]);
    pthread_join(thread, NULL);
    MPI_Finalize();
    printf("ended\n");
    return 0;
}
