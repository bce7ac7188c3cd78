/* What a communicator leaves behind when it is freed: nothing of what nobody received, but everything
 * that is still under way. */
#include "../test.h"

/* Memory that messages go through in turn, up to 4 MiB, has been written once after WARM of them. */
enum { BYTES = 1000, WARM = (4 << 20) / BYTES, LOOPS = WARM + 5400, LARGE = 1 << 20 };

/* Resident memory in KiB. */
static long resident(void) {
    long size = 0, pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    CHECK(file && fscanf(file, "%ld %ld", &size, &pages) == 2, "/proc/self/statm cannot be read");
    if (file) fclose(file);
    return pages * (sysconf(_SC_PAGESIZE) / 1024);
}

int main(int argc, char **argv) {
    static char text[BYTES], large[LARGE];
    int i, next, flag = 0, values[2] = {-1, -1};
    long start = 0, growth;
    MPI_Comm comm;
    MPI_Request request, lost;
    test_start(&argc, &argv);
    next = (test_rank + 1) % test_size;

    STEP("short messages that nobody receives");
    for (i = 0; i < LOOPS; i++) {
        if (i == WARM) start = resident();
        MUST(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
        MUST(MPI_Send(text, BYTES, MPI_CHAR, next, i, comm));
        MUST(MPI_Barrier(comm));
        MUST(MPI_Comm_free(&comm));
    }
    growth = resident() - start;
    CHECK(growth <= 2048, "%d communicators left %ld KiB behind", LOOPS - WARM, growth);

    STEP("a large message that nobody receives");
    MUST(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    if (test_rank == 0) MUST(MPI_Issend(large, LARGE, MPI_CHAR, 1, 1, comm, &request));
    MUST(MPI_Barrier(MPI_COMM_WORLD));
    MUST(MPI_Comm_free(&comm));
    if (test_rank == 0) MUST(MPI_Wait(&request, MPI_STATUS_IGNORE));

    STEP("receives that are posted");
    MUST(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    if (test_rank == 1) {
        MUST(MPI_Irecv(&values[0], 1, MPI_INT, 0, 1, comm, &request));
        MUST(MPI_Irecv(&values[1], 1, MPI_INT, MPI_ANY_SOURCE, 2, comm, &lost));
        MUST(MPI_Request_free(&lost));
        MUST(MPI_Comm_free(&comm));
    }
    MUST(MPI_Barrier(MPI_COMM_WORLD));
    if (test_rank == 0) {
        for (i = 1; i <= 2; i++) MUST(MPI_Send(&i, 1, MPI_INT, 1, i, comm));
        MUST(MPI_Comm_free(&comm));
    }
    if (test_rank == 1) {
        MUST(MPI_Wait(&request, MPI_STATUS_IGNORE));
        EQUAL("value of a pending receive", 1, values[0]);
        while (values[1] == -1) MUST(MPI_Iprobe(0, 99, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE));
        EQUAL("value of a receive without a request", 2, values[1]);
    }
    return test_finish();
}
