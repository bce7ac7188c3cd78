/* What the hardware is, and splitting by it: every kind of resource that MPI_Get_hw_resource_info names splits,
 * and only processes that are kept to one instance get a communicator. Process sets split as well. */
#include "../test.h"
#include "../errors/quiet.h"

#ifdef MPI_COMM_TYPE_HW_GUIDED
static MPI_Info hint(const char *key, const char *value) {
    MPI_Info info;
    MUST(MPI_Info_create(&info));
    MUST(MPI_Info_set(info, key, value));
    return info;
}

/* Splits by a hint; the size of what comes of it, 0 for MPI_COMM_NULL. */
static int split(int type, const char *key, const char *value) {
    MPI_Info info = hint(key, value);
    MPI_Comm comm;
    int size = 0, rank, sum;
    MUST(MPI_Comm_split_type(MPI_COMM_WORLD, type, 0, info, &comm));
    MUST(MPI_Info_free(&info));
    if (comm == MPI_COMM_NULL) return 0;
    MUST(MPI_Comm_size(comm, &size));
    MUST(MPI_Comm_rank(comm, &rank));
    MUST(MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, comm));
    EQUAL("sum of ranks in the part", size * (size - 1) / 2, sum);
    MUST(MPI_Comm_free(&comm));
    return size;
}

static void guided(void) {
    static const char *unknown[] = {"hwloc://Gearbox", "Machine", ""};
    char *near = test_neighbours();
    int i, keys = 0, here = 0;
    MPI_Comm comm;
    MPI_Info info;
    for (i = 0; i < test_size; i++) here += near[i];
    free(near);
    STEP("guided");
    EQUAL("shared memory", here, split(MPI_COMM_TYPE_HW_GUIDED, "mpi_hw_resource_type", "mpi_shared_memory"));
    for (i = 0; i < 3; i++)
        EQUAL(unknown[i], 0, split(MPI_COMM_TYPE_HW_GUIDED, "mpi_hw_resource_type", unknown[i]));
    MUST(MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_HW_GUIDED, 0, MPI_INFO_NULL, &comm));
    CHECK(comm == MPI_COMM_NULL, "split by nothing");
    STEP("unguided");
    MUST(MPI_Info_create(&info));
    MUST(MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_HW_UNGUIDED, 0, info, &comm));
    MUST(MPI_Info_get_nkeys(info, &keys));
    EQUAL("what it was split by", comm != MPI_COMM_NULL, keys);
    MUST(MPI_Info_free(&info));
    if (comm != MPI_COMM_NULL) {
        int size;
        MUST(MPI_Comm_size(comm, &size));
        CHECK(size < test_size, "a part of %d of %d", size, test_size);
        MUST(MPI_Comm_free(&comm));
    }
}

#if MPI_VERSION >= 5
static void resources(void) {
    MPI_Info info = MPI_INFO_NULL, both;
    MPI_Comm comm;
    char key[MPI_MAX_INFO_KEY], value[10];
    int i, n = 0, flag, length;
    STEP("resources");
    MUST(MPI_Get_hw_resource_info(&info));
    MUST(MPI_Info_get_nkeys(info, &n));
    CHECK(n > 0, "no resources");
    for (i = 0; i < n; i++) {
        int size, all;
        MUST(MPI_Info_get_nthkey(info, i, key));
        CHECK(strstr(key, "://") != NULL, "\"%s\" is no name of a resource", key);
        length = sizeof value;
        MUST(MPI_Info_get_string(info, key, &length, value, &flag));
        CHECK(strcmp(value, "true") == 0 || strcmp(value, "false") == 0, "%s is \"%s\"", key, value);
        size = split(MPI_COMM_TYPE_HW_GUIDED, "mpi_hw_resource_type", key);
        CHECK((size > 0) == (strcmp(value, "true") == 0), "%s is %s, and a part has %d ranks", key, value, size);
        all = split(MPI_COMM_TYPE_RESOURCE_GUIDED, "mpi_hw_resource_type", key);
        EQUAL("guided by resource", size, all);
    }
    MUST(MPI_Info_free(&info));
    STEP("process sets");
    EQUAL("mpi://WORLD", test_size, split(MPI_COMM_TYPE_RESOURCE_GUIDED, "mpi_pset_name", "mpi://WORLD"));
    EQUAL("mpi://SELF", 1, split(MPI_COMM_TYPE_RESOURCE_GUIDED, "mpi_pset_name", "mpi://SELF"));
    EQUAL("no set", 0, split(MPI_COMM_TYPE_RESOURCE_GUIDED, "mpi_pset_name", "mpi://NOWHERE"));
    both = hint("mpi_pset_name", "mpi://SELF");
    MUST(MPI_Info_set(both, "mpi_hw_resource_type", "mpi_shared_memory"));
    FAILS(MPI_ERR_ARG, MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_RESOURCE_GUIDED, 0, both, &comm));
    MUST(MPI_Info_free(&both));
}
#endif
#endif

/* System calls of this process that have read something; -1 where the system does not count them. */
static long reads(void) {
    long count = -1;
    FILE *file = fopen("/proc/self/io", "r");
    if (!file) return -1;
    if (fscanf(file, "%*s %*s %*s %*s syscr: %ld", &count) != 1) count = -1;
    fclose(file);
    return count;
}

/* What is once known of the hardware is not read again. */
static void again(int type) {
    long before = -1, after;
    int times;
    STEP("again");
    for (times = 0; times < 101; times++) {
        MPI_Comm comm;
        MUST(MPI_Comm_split_type(MPI_COMM_WORLD, type, 0, MPI_INFO_NULL, &comm));
        if (comm != MPI_COMM_NULL) MUST(MPI_Comm_free(&comm));
        if (times == 0) before = reads();
    }
    after = reads();
    CHECK(before == -1 || after - before < 50, "100 calls have read %ld times", after - before);
}

int main(int argc, char **argv) {
    test_start(&argc, &argv);
    errors_return();
    again(MPI_COMM_TYPE_SHARED);
#ifdef MPI_COMM_TYPE_HW_UNGUIDED
    again(MPI_COMM_TYPE_HW_UNGUIDED);
#endif
#ifdef MPI_COMM_TYPE_HW_GUIDED
    guided();
#if MPI_VERSION >= 5
    resources();
#endif
#endif
    return test_finish();
}
