/* Back-pressure bounds memory: rank 1 sends 200 MB to rank 0, which sleeps outside of MPI and then reads
 * it in order. Neither may hold more than a small part of that in memory of its own. */
#include "../test.h"
#include <sys/resource.h>
#include <time.h>

/* The largest resident size so far, in KiB (Linux's unit). */
static long resident(void) {
    struct rusage r;
    getrusage(RUSAGE_SELF, &r);
    return r.ru_maxrss;
}

static void transfer(const char *what, int bytes, int count, int at_once) {
    char *buffer = test_alloc((size_t)bytes);
    long before, grown;
    int i, k;
    MPI_Request *request = test_alloc((size_t)at_once * sizeof(MPI_Request));
    STEP(what);
    memset(buffer, 1, (size_t)bytes);
    MPI_Barrier(MPI_COMM_WORLD);
    before = resident();
    if (test_rank == 1)
        for (i = 0; i < count; i += at_once) {
            for (k = 0; k < at_once; k++) MUST(MPI_Isend(buffer, bytes, MPI_BYTE, 0, 0, MPI_COMM_WORLD, &request[k]));
            MUST(MPI_Waitall(at_once, request, MPI_STATUSES_IGNORE));
        }
    if (test_rank == 0) {
        struct timespec t;
        t.tv_sec = 0, t.tv_nsec = 500000000;
        nanosleep(&t, NULL);
        for (i = 0; i < count; i++) MUST(MPI_Recv(buffer, bytes, MPI_BYTE, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    }
    grown = resident() - before;
    CHECK(grown < 64 * 1024, "%s: resident memory grew by %ld KiB while %ld KiB were sent", what, grown,
          (long)bytes / 1024 * count);
    free(buffer);
    free(request);
}

int main(int argc, char **argv) {
    test_start(&argc, &argv);
    transfer("blocking, 2 KiB", 2048, 100000, 1);
    transfer("500 at once, 2 KiB", 2048, 100000, 500);
    transfer("100 at once, 64 KiB", 65536, 3000, 100);
    transfer("20 at once, 1 MiB", 1 << 20, 200, 20);
    return test_finish();
}
