/* A ring: arrays of growing length go round once, each rank adds its number to each element, and rank 0 finds the sum.
 * The argument is the number of ranks that there must be, and a second one the number of host names. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    int rank, size, length, good = 1;
    char name[MPI_MAX_PROCESSOR_NAME] = "", (*names)[MPI_MAX_PROCESSOR_NAME];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int left = (rank + size - 1) % size, right = (rank + 1) % size;
    if (rank == 0 && argc > 1)
        printf("%s world size\n", atoi(argv[1]) == size ? "ok" : "WRONG");
    for (int count = 1; count <= 1 << 20; count *= 32) {
        int *numbers = calloc(count, sizeof *numbers);
        MPI_Request request;
        if (rank > 0) {
            MPI_Recv(numbers, count, MPI_INT, left, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            for (int i = 0; i < count; i++)
                numbers[i] += rank;
            MPI_Send(numbers, count, MPI_INT, right, 7, MPI_COMM_WORLD);
        } else {
            int *back = calloc(count, sizeof *back);
            for (int i = 0; i < count; i++)
                numbers[i] = i;
            MPI_Irecv(back, count, MPI_INT, left, 7, MPI_COMM_WORLD, &request);
            MPI_Send(numbers, count, MPI_INT, right, 7, MPI_COMM_WORLD);
            MPI_Wait(&request, MPI_STATUS_IGNORE);
            for (int i = 0; i < count; i++)
                good &= back[i] == i + size * (size - 1) / 2;
            free(back);
        }
        free(numbers);
    }
    if (rank == 0)
        printf("%s ring\n", good ? "ok" : "WRONG");
    MPI_Get_processor_name(name, &length);
    names = calloc(size, sizeof *names);
    MPI_Allgather(name, sizeof name, MPI_CHAR, names, sizeof name, MPI_CHAR, MPI_COMM_WORLD);
    int hosts = 0;
    for (int i = 0; i < size; i++) {
        int seen = 0;
        for (int j = 0; j < i; j++)
            seen |= !strcmp(names[i], names[j]);
        hosts += !seen;
    }
    if (rank == 0 && argc > 2)
        printf("%s hosts\n", atoi(argv[2]) == hosts ? "ok" : "WRONG");
    free(names);
    MPI_Finalize();
    return 0;
}
