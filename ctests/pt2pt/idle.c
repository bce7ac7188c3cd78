/* A rank that waits long uses no CPU: rank 0 sleeps 3 s, the others wait for it in a receive, a
 * wait, a probe or a barrier. 5% of that time is 0.15 s; a library that spins for a while before it sleeps, as a
 * good one does, uses well under a tenth of that, one that polls all the time uses 3 s. */
#include "../test.h"
#include <sys/resource.h>
#include <time.h>

static double cpu(void) {
    struct rusage r;
    getrusage(RUSAGE_SELF, &r);
    return (double)r.ru_utime.tv_sec + (double)r.ru_stime.tv_sec +
           1e-6 * ((double)r.ru_utime.tv_usec + (double)r.ru_stime.tv_usec);
}

int main(int argc, char **argv) {
    static const char *const forms[] = {"recv", "wait", "probe", "barrier", "ssend"};
    int form, value = 0;
    test_start(&argc, &argv);
    for (form = 0; form < 5; form++) {
        double begin, used, wall;
        STEP(forms[form]);
        MPI_Barrier(MPI_COMM_WORLD);
        begin = cpu();
        wall = MPI_Wtime();
        if (test_rank == 0) {
            struct timespec t;
            int i;
            t.tv_sec = 3, t.tv_nsec = 0;
            nanosleep(&t, NULL);
            for (i = 1; i < test_size; i++) {
                if (form < 3) MUST(MPI_Send(&value, 1, MPI_INT, i, form, MPI_COMM_WORLD));
                if (form == 4) MUST(MPI_Recv(&value, 1, MPI_INT, i, form, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
            }
            if (form == 3) MUST(MPI_Barrier(MPI_COMM_WORLD));
        } else {
            MPI_Request request;
            if (form == 0) MUST(MPI_Recv(&value, 1, MPI_INT, 0, form, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
            if (form == 1) {
                MUST(MPI_Irecv(&value, 1, MPI_INT, 0, form, MPI_COMM_WORLD, &request));
                MUST(MPI_Wait(&request, MPI_STATUS_IGNORE));
            }
            if (form == 2) {
                MUST(MPI_Probe(0, form, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
                MUST(MPI_Recv(&value, 1, MPI_INT, 0, form, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
            }
            if (form == 3) MUST(MPI_Barrier(MPI_COMM_WORLD));
            if (form == 4) MUST(MPI_Ssend(&value, 1, MPI_INT, 0, form, MPI_COMM_WORLD));
            used = cpu() - begin;
            wall = MPI_Wtime() - wall;
            CHECK(used < 0.15 + 0.05 * (wall - 3.0), "%s: %.3f s of CPU while waiting %.2f s", forms[form], used, wall);
        }
    }
    return test_finish();
}
