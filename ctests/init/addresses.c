/* Ranks under a limit of their addresses (`ulimit -v`). Without an argument the limit is the caller's: each
 * rank talks to each other one, and all run collectives on more communicators than have room in shared
 * memory. `tight` leaves little more than the program has before MPI_Init, `late` before its first message. */
#include "../test.h"
#include <sys/resource.h>

enum { COMMS = 80, LONG = 20000 };

/* Leaves this process so many bytes of addresses more than it has. */
static void leave(unsigned long bytes) {
    unsigned long pages = 0;
    struct rlimit limit;
    FILE *file = fopen("/proc/self/statm", "r");
    int read = file ? fscanf(file, "%lu", &pages) : 0;
    if (file) fclose(file);
    CHECK(read == 1 && getrlimit(RLIMIT_AS, &limit) == 0, "the limit is not known");
    limit.rlim_cur = pages * (unsigned long)sysconf(_SC_PAGESIZE) + bytes;
    CHECK(setrlimit(RLIMIT_AS, &limit) == 0, "the limit cannot be set");
}

/* Everybody to everybody, short and long. */
static void talk(void) {
    static int out[LONG], in[LONG];
    int step, count;
    for (count = 1; count <= LONG; count *= LONG) {
        for (step = 0; step < test_size; step++) {
            int to = (test_rank + step) % test_size, from = (test_rank - step + test_size) % test_size;
            out[0] = out[count - 1] = 1000 * test_rank + to;
            MUST(MPI_Sendrecv(out, count, MPI_INT, to, 5, in, count, MPI_INT, from, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
            EQUAL("first", 1000 * from + test_rank, in[0]);
            EQUAL("last", 1000 * from + test_rank, in[count - 1]);
        }
    }
}

static void reduce(MPI_Comm comm) {
    int times;
    for (times = 0; times < 4; times++) {
        int sum = 0, mine = test_rank + times;
        MUST(MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, comm));
        EQUAL("sum", test_size * (test_size - 1) / 2 + test_size * times, sum);
    }
}

int main(int argc, char **argv) {
    const char *how = argc > 1 ? argv[1] : "";
    MPI_Comm comms[COMMS];
    int index;
    if (strcmp(how, "tight") == 0) leave(12ul << 20);
    test_start(&argc, &argv);
    if (strcmp(how, "late") == 0) leave(100ul << 10);
    reduce(MPI_COMM_WORLD);
    talk();
    for (index = 0; index < COMMS; index++) {
        MUST(MPI_Comm_dup(MPI_COMM_WORLD, &comms[index]));
        reduce(comms[index]);
    }
    for (index = 0; index < COMMS; index++) {
        reduce(comms[index]);
        MUST(MPI_Comm_free(&comms[index]));
    }
    return test_finish();
}
