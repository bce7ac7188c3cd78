/* The last rank cannot map what the others share for a new communicator's collectives: something in its program has
 * closed the descriptor of the shared memory. All ranks must notice that together, as MPI_ERRORS_RETURN leaves
 * whoever sees it alone going on. */
#define _GNU_SOURCE
#include "../test.h"
#include <dirent.h>
#include <unistd.h>

enum { COMMS = 5 };

/* Closes every descriptor of nameless memory; gives how many there were. */
static int close_memory(void) {
    int found = 0;
    struct dirent *entry;
    DIR *folder = opendir("/proc/self/fd");
    CHECK(folder != NULL, "/proc/self/fd cannot be read");
    while (folder && (entry = readdir(folder)) != NULL) {
        char target[64] = "";
        if (readlinkat(dirfd(folder), entry->d_name, target, sizeof target - 1) < 0) continue;
        if (strncmp(target, "/memfd:", 7) != 0) continue;
        close(atoi(entry->d_name));
        found++;
    }
    if (folder) closedir(folder);
    return found;
}

static void reduce(MPI_Comm comm) {
    int size, times;
    MUST(MPI_Comm_size(comm, &size));
    for (times = 0; times < 6; times++) {
        int sum = 0, mine = times + 1;
        MUST(MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, comm));
        EQUAL("sum", size * mine, sum);
    }
}

int main(int argc, char **argv) {
    MPI_Comm pair, comms[COMMS];
    int index, peer, last, in_pair;
    test_start(&argc, &argv);
    last = test_size - 1;
    CHECK(test_size >= 3, "3 ranks are needed");
    MUST(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    reduce(MPI_COMM_WORLD);
    for (peer = 0; peer < test_size; peer++) {
        int got = -1;
        MUST(MPI_Sendrecv(&test_rank, 1, MPI_INT, (test_rank + peer) % test_size, 1, &got, 1, MPI_INT,
                          (test_rank - peer + test_size) % test_size, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        EQUAL("peer", (test_rank - peer + test_size) % test_size, got);
    }
    /* Rank 0 and the last one map a place that they give back. It is the next one that the last rank offers. */
    in_pair = test_rank == 0 || test_rank == last;
    MUST(MPI_Comm_split(MPI_COMM_WORLD, in_pair ? 0 : MPI_UNDEFINED, test_rank, &pair));
    if (in_pair) {
        reduce(pair);
        MUST(MPI_Comm_free(&pair));
    }
    MUST(MPI_Barrier(MPI_COMM_WORLD));
    if (test_rank == last) CHECK(close_memory() > 0, "there is no descriptor of shared memory to close");
    for (index = 0; index < COMMS; index++) {
        MUST(MPI_Comm_dup(MPI_COMM_WORLD, &comms[index]));
        reduce(comms[index]);
    }
    for (index = 0; index < COMMS; index++) {
        reduce(comms[index]);
        MUST(MPI_Comm_free(&comms[index]));
    }
    reduce(MPI_COMM_WORLD);
    return test_finish();
}
