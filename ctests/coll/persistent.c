/* The persistent collectives of MPI-4: started many times, with new data each time, several at once.
 * Where the header is older there is nothing to test. */
#include "../test.h"
#include "comms.h"

#if MPI_VERSION >= 4
enum { N = 300, ROUNDS = 12 };

static void body(MPI_Comm comm) {
    size_t all = (size_t)(N * size);
    int *mine = test_alloc(all * sizeof(int)), *word = test_alloc(N * sizeof(int)), i, round, root = size / 2;
    int *sum = test_alloc(all * sizeof(int)), *most = test_alloc(all * sizeof(int)), *got = test_alloc(all * sizeof(int));
    int *exchanged = test_alloc(all * sizeof(int)), *prefix = test_alloc(N * sizeof(int));
    MPI_Request request[7];
    MUST(MPI_Barrier_init(comm, MPI_INFO_NULL, &request[0]));
    MUST(MPI_Bcast_init(word, N, MPI_INT, root, comm, MPI_INFO_NULL, &request[1]));
    MUST(MPI_Allreduce_init(mine, sum, N, MPI_INT, MPI_SUM, comm, MPI_INFO_NULL, &request[2]));
    MUST(MPI_Reduce_init(mine, most, N, MPI_INT, MPI_MAX, root, comm, MPI_INFO_NULL, &request[3]));
    MUST(MPI_Allgather_init(mine, N, MPI_INT, got, N, MPI_INT, comm, MPI_INFO_NULL, &request[4]));
    MUST(MPI_Alltoall_init(mine, N, MPI_INT, exchanged, N, MPI_INT, comm, MPI_INFO_NULL, &request[5]));
    MUST(MPI_Scan_init(mine, prefix, N, MPI_INT, MPI_MAX, comm, MPI_INFO_NULL, &request[6]));
    for (round = 0; round < ROUNDS; round++) {
        for (i = 0; i < N * size; i++) mine[i] = rank * 10000 + round * 100 + i;
        for (i = 0; i < N; i++) word[i] = rank == root ? round + i : -1;
        if (round % 2)
            MUST(MPI_Startall(7, request));
        else
            for (i = 0; i < 7; i++) MUST(MPI_Start(&request[i]));
        MUST(MPI_Waitall(7, request, MPI_STATUSES_IGNORE));
        for (i = 0; i < N; i++) {
            EQUAL("bcast", round + i, word[i]);
            EQUAL("allreduce", size * (size - 1) / 2 * 10000 + size * (round * 100 + i), sum[i]);
            if (rank == root) EQUAL("reduce", (size - 1) * 10000 + round * 100 + i, most[i]);
            EQUAL("scan", rank * 10000 + round * 100 + i, prefix[i]);
        }
        for (i = 0; i < N * size; i++) {
            EQUAL("allgather", i / N * 10000 + round * 100 + i % N, got[i]);
            EQUAL("alltoall", i / N * 10000 + round * 100 + rank * N + i % N, exchanged[i]);
        }
    }
    for (i = 0; i < 7; i++) MUST(MPI_Request_free(&request[i]));
    free(mine);
    free(word);
    free(sum);
    free(most);
    free(got);
    free(exchanged);
    free(prefix);
}
#endif

int main(int argc, char **argv) {
    test_start(&argc, &argv);
#if MPI_VERSION >= 4
    on_comms(body);
#else
    (void)on_comms;
#endif
    return test_finish();
}
