/* More ranks than cores: a token ring and an all-pairs storm must not crawl. The bound is on the wall
 * time of the whole, loose enough for a loaded machine and far below what losing a scheduler's time
 * slice (some milliseconds) at every hand-over would cost: 8 ranks x 2,000 rounds x 4 ms = 64 s. */
#include "../test.h"

enum { LAPS = 2000, ROUNDS = 60, MOST = 64 };
static const double BOUND = 20.0;

int main(int argc, char **argv) {
    int lap, round, i, token = 0, right, left;
    double begin, used;
    test_start(&argc, &argv);
    right = (test_rank + 1) % test_size, left = (test_rank + test_size - 1) % test_size;
    MPI_Barrier(MPI_COMM_WORLD);
    begin = MPI_Wtime();

    STEP("token ring");
    for (lap = 0; lap < LAPS; lap++) {
        if (test_rank == 0) {
            MUST(MPI_Send(&token, 1, MPI_INT, right, 0, MPI_COMM_WORLD));
            MUST(MPI_Recv(&token, 1, MPI_INT, left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
            EQUAL("token after a lap", (lap + 1) * (test_size - 1), token);
        } else {
            MUST(MPI_Recv(&token, 1, MPI_INT, left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
            token++;
            MUST(MPI_Send(&token, 1, MPI_INT, right, 0, MPI_COMM_WORLD));
        }
    }

    STEP("all pairs");
    for (round = 0; round < ROUNDS; round++) {
        static const int lengths[4] = {1, 700, 9000, 40000};
        static int out[40000], in[MOST][40000];
        MPI_Request request[2 * MOST];
        int words = lengths[round % 4], n = 0;
        for (i = 0; i < words; i++) out[i] = test_rank * 1000 + round + i;
        for (i = 0; i < test_size && i < MOST; i++)
            MUST(MPI_Irecv(in[i], words, MPI_INT, i, round, MPI_COMM_WORLD, &request[n++]));
        for (i = 0; i < test_size && i < MOST; i++)
            MUST(MPI_Isend(out, words, MPI_INT, (test_rank + i) % test_size, round, MPI_COMM_WORLD, &request[n++]));
        MUST(MPI_Waitall(n, request, MPI_STATUSES_IGNORE));
        for (i = 0; i < test_size && i < MOST; i++) {
            EQUAL("first word", i * 1000 + round, in[i][0]);
            EQUAL("last word", i * 1000 + round + words - 1, in[i][words - 1]);
        }
    }
    used = MPI_Wtime() - begin;
    if (test_rank == 0) CHECK(used < BOUND, "the storm took %.1f s, the bound is %.0f s", used, BOUND);
    return test_finish();
}
