/* A first program: every rank says who it is, then all of them compute pi together. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv) {
    char host[MPI_MAX_PROCESSOR_NAME];
    const int slices = 1000000;
    double mine = 0, pi = 0;
    int rank, size, length, wrong = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Get_processor_name(host, &length);
    printf("hello from rank %d of %d on %s\n", rank, size, host);

    for (int i = rank; i < slices; i += size) {
        double x = (i + 0.5) / slices;
        mine += 4 / (1 + x * x) / slices;
    }
    MPI_Allreduce(&mine, &pi, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    wrong = !(pi > 3.14159265 && pi < 3.14159266);
    if (rank == 0) printf("pi is %.8f, computed by %d ranks\n", pi, size);
    MPI_Finalize();
    return wrong;
}
