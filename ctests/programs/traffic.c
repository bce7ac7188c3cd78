/* Messages of all lengths between all ranks, both ways at once, and collectives, each byte checked, for some time.
 *
 *   traffic SECONDS FILE [idle|fork]   rank 0 makes FILE when all ranks are under way
 *
 * With `idle` nobody sends anything from then on, and everybody waits; with `fork` the last rank has a child, which
 * lives for a while and ends by itself. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { RANKS = 64, LONGEST = 300000 };
static const int lengths[] = {0, 1, 40, 41, 5000, 40000, 70000, LONGEST};

static unsigned char byte_of(int from, int to, int round, int at) {
    return (unsigned char)(from * 7 + to * 31 + round * 11 + at * 3 + at / 251);
}

static int exchange(int rank, int size, int round, int bytes) {
    static unsigned char *in[RANKS], *out[RANKS];
    MPI_Request requests[2 * RANKS];
    int peer, at, count = 0, wrong = 0;
    for (peer = 0; peer < size; peer++) {
        if (!in[peer]) in[peer] = malloc(LONGEST), out[peer] = malloc(LONGEST);
        for (at = 0; at < bytes; at++) out[peer][at] = byte_of(rank, peer, round, at);
        memset(in[peer], 0xee, (size_t)bytes);
        MPI_Irecv(in[peer], bytes, MPI_BYTE, peer, round, MPI_COMM_WORLD, &requests[count++]);
        MPI_Isend(out[peer], bytes, MPI_BYTE, peer, round, MPI_COMM_WORLD, &requests[count++]);
    }
    MPI_Waitall(count, requests, MPI_STATUSES_IGNORE);
    for (peer = 0; peer < size; peer++)
        for (at = 0; at < bytes; at++) wrong += in[peer][at] != byte_of(peer, rank, round, at);
    if (wrong) printf("WRONG rank %d, round %d: %d of %d bytes\n", rank, round, wrong, bytes * size);
    return wrong;
}

int main(int argc, char **argv) {
    int rank, size, round, wrong = 0, goes_on = 1, idle = argc > 3 && !strcmp(argv[3], "idle");
    double end;
    if (argc < 3) return 2;
    alarm(200);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (size > RANKS) return 2;
    end = MPI_Wtime() + atof(argv[1]);
    for (round = 0; goes_on; round++) {
        int sum = 0, mine = rank + round;
        wrong += exchange(rank, size, round, lengths[round % (int)(sizeof lengths / sizeof *lengths)]);
        MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        if (sum != size * (size - 1) / 2 + size * round) {
            printf("WRONG rank %d, round %d: sum %d\n", rank, round, sum);
            wrong++;
        }
        if (round == 8) {
            FILE *file = rank == 0 ? fopen(argv[2], "w") : NULL;
            if (file) fclose(file);
            if (idle) MPI_Recv(&sum, 1, MPI_INT, (rank + 1) % size, 99999, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
        if (round == 4 && rank == size - 1 && argc > 3 && !strcmp(argv[3], "fork") && fork() == 0) {
            fclose(stdout);
            sleep(15);
            _exit(0);
        }
        goes_on = round < 8 || MPI_Wtime() < end;
        MPI_Bcast(&goes_on, 1, MPI_INT, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    printf("%s rank %d after %d rounds\n", wrong ? "WRONG" : "ok", rank, round);
    return wrong != 0;
}
