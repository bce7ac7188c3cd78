/* What MPI tells about itself: versions, names, the clock, memory, arguments, the predefined
 * communicators, and attributes of MPI_COMM_SELF that are deleted at the very end. */
#include "../test.h"
#include <time.h>

static int deleted[3], order;

static int at_end(MPI_Comm comm, int keyval, void *value, void *extra) {
    int flag = 0, rank = -1;
    (void)keyval;
    (void)extra;
    deleted[*(int *)value] = ++order;
    /* MPI still works here: it is called before anything is taken down. */
    MPI_Finalized(&flag);
    if (flag) order = -100;
    MPI_Comm_rank(comm, &rank);
    if (rank != 0) order = -200;
    return MPI_SUCCESS;
}

int main(int argc, char **argv) {
    static int which[3] = {0, 1, 2};
    int version = 0, subversion = 0, length = -1, n, i, key[3], errors;
    char text[MPI_MAX_LIBRARY_VERSION_STRING], host[MPI_MAX_PROCESSOR_NAME], plain[256];
    double a, b;
    char *memory;
    struct timespec thirty_ms = {0, 30000000};
    test_start(&argc, &argv);
    STEP("versions");
    MUST(MPI_Get_version(&version, &subversion));
    EQUAL("version", MPI_VERSION, version);
    EQUAL("subversion", MPI_SUBVERSION, subversion);
    MUST(MPI_Get_library_version(text, &length));
    EQUAL("length of the library version", strlen(text), length);
    STEP("processor name");
    memset(host, '#', sizeof host);
    MUST(MPI_Get_processor_name(host, &length));
    CHECK(length > 0 && length < MPI_MAX_PROCESSOR_NAME && strlen(host) == (size_t)length, "processor name, length %d",
          length);
    gethostname(plain, sizeof plain);
    CHECK(strncmp(host, plain, strlen(plain)) == 0, "processor name %s, hostname %s", host, plain);
    STEP("clock");
    a = MPI_Wtime();
    for (i = 0; i < 100000; i++) {
        b = MPI_Wtime();
        if (b < a) {
            CHECK(0, "the clock went back from %.9f to %.9f", a, b);
            break;
        }
        a = b;
    }
    CHECK(MPI_Wtick() > 0 && MPI_Wtick() < 0.01, "tick %g", MPI_Wtick());
    a = MPI_Wtime();
    nanosleep(&thirty_ms, NULL);
    b = MPI_Wtime() - a;
    CHECK(b > 0.029 && b < 5, "30 ms took %g s", b);
    STEP("memory");
    for (i = 0; i < 30; i++) {
        MUST(MPI_Alloc_mem((MPI_Aint)1 << i % 25, MPI_INFO_NULL, &memory));
        memory[0] = 1, memory[((size_t)1 << i % 25) - 1] = 2;
        CHECK(((size_t)memory & 7) == 0, "memory is not aligned");
        MUST(MPI_Free_mem(memory));
    }
    MUST(MPI_Alloc_mem(0, MPI_INFO_NULL, &memory));
    STEP("predefined communicators");
    MUST(MPI_Comm_size(MPI_COMM_SELF, &n));
    EQUAL("size of self", 1, n);
    MUST(MPI_Comm_rank(MPI_COMM_SELF, &n));
    EQUAL("rank in self", 0, n);
    STEP("profiling names");
    MUST(PMPI_Comm_rank(MPI_COMM_WORLD, &n));
    EQUAL("PMPI rank", test_rank, n);
    MUST(MPI_Pcontrol(1));
    STEP("thread level");
    MUST(MPI_Query_thread(&n));
    CHECK(n >= MPI_THREAD_SINGLE && n <= MPI_THREAD_MULTIPLE, "thread level %d", n);
    MUST(MPI_Is_thread_main(&n));
    EQUAL("main thread", 1, !!n);
    errors = test_verdict();
    for (i = 0; i < 3; i++) {
        MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, at_end, &key[i], NULL);
        MPI_Comm_set_attr(MPI_COMM_SELF, key[i], &which[i]);
    }
    MPI_Finalize();
    /* The last set is deleted first. */
    for (i = 0; i < 3; i++)
        if (deleted[i] != 3 - i) {
            printf("rank %d: attribute %d of MPI_COMM_SELF was deleted as number %d\n", test_rank, i, deleted[i]);
            errors++;
        }
    return errors != 0;
}
