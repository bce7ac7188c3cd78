/* The first messages of a job, `first [options] [bytes] [bcast]` (default 4096): a message from rank 1 to rank 0 after a barrier,
 * or with the word `bcast` one that MPI_Bcast brings, the time from there until it has been received. Medians of the 20 first ones
 * (`first_20`), of the next 100 (`first_120`) and of the last 100 of 1,000 (`first_1000`). One size a job: with the next one nothing
 * would be the first any more. */
#include "bench.h"

enum { MESSAGES = 1000 };

int main(int argc, char **argv) {
    static double times[MESSAGES];
    const struct {
        const char *name;
        int begin, end;
    } parts[] = {{"first_20", 0, 20}, {"first_120", 20, 120}, {"first_1000", MESSAGES - 100, MESSAGES}};
    int word = bench_start(&argc, &argv), distance, i, bytes = 4096, bcast = 0;
    char *buffer;
    for (; word < argc; word++) {
        if (strcmp(argv[word], "bcast") == 0) bcast = 1;
        else bytes = atoi(argv[word]);
    }
    if (test_size != 2 || bytes < 1) {
        if (test_rank == 0) fprintf(stderr, "first needs 2 ranks and a length, not %d and %d bytes\n", test_size, bytes);
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    buffer = test_alloc((size_t)bytes);
    memset(buffer, 1, (size_t)bytes);
    distance = bench_distance();
    for (i = 0; i < MESSAGES; i++) {
        double begin;
        MPI_Barrier(MPI_COMM_WORLD);
        begin = MPI_Wtime();
        if (bcast) MPI_Bcast(buffer, bytes, MPI_BYTE, 1, MPI_COMM_WORLD);
        else if (test_rank == 1) MPI_Send(buffer, bytes, MPI_BYTE, 0, 1, MPI_COMM_WORLD);
        else MPI_Recv(buffer, bytes, MPI_BYTE, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        times[i] = (MPI_Wtime() - begin) * 1e6;
    }
    if (distance != bench_distance()) distance = 0;
    for (i = 0; test_rank == 0 && i < 3; i++) {
        double usec = bench_median(times + parts[i].begin, parts[i].end - parts[i].begin);
        bench_line(parts[i].name, (size_t)bytes, usec, distance);
    }
    free(buffer);
    return bench_finish();
}
