/* Making communicators: dup, split with every kind of colour and key, split_type, create and
 * create_group from groups, compare, names, idup, and that each has a context of its own. */
#include "../test.h"

/* A communicator works and has the ranks expected: every member sends to its successor. */
static void usable(const char *what, MPI_Comm comm, int rank, int size) {
    int r = -1, n = -1, got = -1, sum = -1;
    MUST(MPI_Comm_rank(comm, &r));
    MUST(MPI_Comm_size(comm, &n));
    EQUAL(what, rank, r);
    EQUAL(what, size, n);
    MUST(MPI_Sendrecv(&rank, 1, MPI_INT, (r + 1) % n, 1, &got, 1, MPI_INT, (r + n - 1) % n, 1, comm, MPI_STATUS_IGNORE));
    EQUAL(what, (r + n - 1) % n, got);
    MUST(MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, comm));
    EQUAL(what, size * (size - 1) / 2, sum);
}

static void duplicates(void) {
    MPI_Comm a, b, c;
    MPI_Request request;
    int result;
    STEP("dup");
    MUST(MPI_Comm_dup(MPI_COMM_WORLD, &a));
    MUST(MPI_Comm_idup(a, &b, &request));
    MUST(MPI_Wait(&request, MPI_STATUS_IGNORE));
    MUST(MPI_Comm_dup_with_info(b, MPI_INFO_NULL, &c));
    usable("dup", a, test_rank, test_size);
    usable("idup", b, test_rank, test_size);
    usable("dup_with_info", c, test_rank, test_size);
    MUST(MPI_Comm_compare(a, MPI_COMM_WORLD, &result));
    EQUAL("dup is congruent", MPI_CONGRUENT, result);
    MUST(MPI_Comm_compare(a, a, &result));
    EQUAL("identical", MPI_IDENT, result);
    MUST(MPI_Comm_test_inter(a, &result));
    EQUAL("not an inter-communicator", 0, result);
    MUST(MPI_Comm_free(&a));
    CHECK(a == MPI_COMM_NULL, "free left the handle");
    MUST(MPI_Comm_free(&b));
    MUST(MPI_Comm_free(&c));
}

static void splits(void) {
    MPI_Comm comm;
    int result, i, behind = 0, here = 0;
    char *near;
    STEP("split");
    MUST(MPI_Comm_split(MPI_COMM_WORLD, test_rank % 3, 0, &comm));
    usable("by thirds", comm, test_rank / 3, (test_size - test_rank % 3 + 2) / 3);
    MUST(MPI_Comm_free(&comm));
    MUST(MPI_Comm_split(MPI_COMM_WORLD, 5, -test_rank, &comm));
    usable("reversed by negative keys", comm, test_size - 1 - test_rank, test_size);
    MUST(MPI_Comm_compare(comm, MPI_COMM_WORLD, &result));
    EQUAL("reversed", test_size == 1 ? MPI_CONGRUENT : MPI_SIMILAR, result);
    MUST(MPI_Comm_free(&comm));
    /* Equal keys keep the order of the old ranks. */
    MUST(MPI_Comm_split(MPI_COMM_WORLD, 0x7fffffff, test_rank == 0 ? 0x7fffffff : -5, &comm));
    usable("rank 0 last", comm, test_rank == 0 ? test_size - 1 : test_rank - 1, test_size);
    MUST(MPI_Comm_free(&comm));
    MUST(MPI_Comm_split(MPI_COMM_WORLD, test_rank == test_size - 1 ? MPI_UNDEFINED : 0, 0, &comm));
    if (test_rank == test_size - 1)
        CHECK(comm == MPI_COMM_NULL, "MPI_UNDEFINED gave a communicator");
    else {
        usable("all but the last", comm, test_rank, test_size - 1);
        MUST(MPI_Comm_compare(comm, MPI_COMM_WORLD, &result));
        EQUAL("smaller", MPI_UNEQUAL, result);
        MUST(MPI_Comm_free(&comm));
    }
    MUST(MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, -test_rank, MPI_INFO_NULL, &comm));
    near = test_neighbours();
    for (i = 0; i < test_size; i++) here += near[i], behind += near[i] && i > test_rank;
    usable("shared memory: all ranks of this host", comm, behind, here);
    MUST(MPI_Comm_free(&comm));
    free(near);
    MUST(MPI_Comm_split_type(MPI_COMM_WORLD, MPI_UNDEFINED, 0, MPI_INFO_NULL, &comm));
    CHECK(comm == MPI_COMM_NULL, "split_type of MPI_UNDEFINED gave a communicator");
}

static void from_groups(void) {
    MPI_Group world, odd, pair;
    MPI_Comm comm, inner;
    int i, n = 0, list[64], result;
    STEP("create");
    MUST(MPI_Comm_group(MPI_COMM_WORLD, &world));
    for (i = test_size - 1; i >= 0; i--)
        if (i % 2) list[n++] = i;
    MUST(MPI_Group_incl(world, n, list, &odd));
    MUST(MPI_Comm_create(MPI_COMM_WORLD, odd, &comm));
    if (test_rank % 2) {
        usable("odd ranks backwards", comm, n - 1 - test_rank / 2, n);
        /* Only the members call create_group. */
        MUST(MPI_Comm_create_group(MPI_COMM_WORLD, odd, 17, &inner));
        usable("create_group", inner, n - 1 - test_rank / 2, n);
        MUST(MPI_Comm_compare(comm, inner, &result));
        EQUAL("congruent", MPI_CONGRUENT, result);
        MUST(MPI_Comm_free(&inner));
        MUST(MPI_Comm_free(&comm));
    } else
        CHECK(comm == MPI_COMM_NULL, "not a member, but a communicator");
    /* Disjoint groups at once: every rank names the group of its own pair. */
    list[0] = test_rank / 2 * 2, list[1] = list[0] + 1;
    MUST(MPI_Group_incl(world, list[1] < test_size ? 2 : 1, list, &pair));
    MUST(MPI_Comm_create(MPI_COMM_WORLD, pair, &comm));
    usable("pairs", comm, test_rank % 2, list[1] < test_size ? 2 : 1);
    MUST(MPI_Comm_free(&comm));
    MUST(MPI_Comm_create_group(MPI_COMM_WORLD, pair, 3, &comm));
    usable("pairs by create_group", comm, test_rank % 2, list[1] < test_size ? 2 : 1);
    MUST(MPI_Comm_free(&comm));
    MUST(MPI_Comm_create(MPI_COMM_WORLD, MPI_GROUP_EMPTY, &comm));
    CHECK(comm == MPI_COMM_NULL, "the empty group gave a communicator");
    MUST(MPI_Group_free(&odd));
    MUST(MPI_Group_free(&pair));
    MUST(MPI_Group_free(&world));
}

static void names(void) {
    char name[MPI_MAX_OBJECT_NAME], most[MPI_MAX_OBJECT_NAME + 50];
    int length = -1;
    MPI_Comm comm, copy;
    STEP("names");
    MUST(MPI_Comm_get_name(MPI_COMM_WORLD, name, &length));
    SAME_TEXT("world", "MPI_COMM_WORLD", name);
    EQUAL("length", 14, length);
    MUST(MPI_Comm_get_name(MPI_COMM_SELF, name, &length));
    SAME_TEXT("self", "MPI_COMM_SELF", name);
    MUST(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    MUST(MPI_Comm_get_name(comm, name, &length));
    SAME_TEXT("a new one has no name", "", name);
    EQUAL("length", 0, length);
    MUST(MPI_Comm_set_name(comm, " leading blank"));
    MUST(MPI_Comm_get_name(comm, name, &length));
    SAME_TEXT("set", " leading blank", name);
    MUST(MPI_Comm_dup(comm, &copy));
    MUST(MPI_Comm_get_name(copy, name, &length));
    SAME_TEXT("dup does not copy it", "", name);
    memset(most, 'x', sizeof most);
    most[MPI_MAX_OBJECT_NAME - 1] = 0;
    MUST(MPI_Comm_set_name(comm, most));
    MUST(MPI_Comm_get_name(comm, name, &length));
    EQUAL("longest", MPI_MAX_OBJECT_NAME - 1, length);
    SAME_TEXT("longest", most, name);
    MUST(MPI_Comm_free(&copy));
    MUST(MPI_Comm_free(&comm));
}

/* A freed communicator lives until its pending messages are done. */
static void freed_while_used(void) {
    MPI_Comm comm;
    MPI_Request request[2];
    int got = -1;
    STEP("free with pending messages");
    MUST(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    MUST(MPI_Irecv(&got, 1, MPI_INT, (test_rank + test_size - 1) % test_size, 4, comm, &request[0]));
    MUST(MPI_Barrier(comm));
    MUST(MPI_Isend(&test_rank, 1, MPI_INT, (test_rank + 1) % test_size, 4, comm, &request[1]));
    MUST(MPI_Comm_free(&comm));
    MUST(MPI_Waitall(2, request, MPI_STATUSES_IGNORE));
    EQUAL("message", (test_rank + test_size - 1) % test_size, got);
}

int main(int argc, char **argv) {
    test_start(&argc, &argv);
    duplicates();
    splits();
    from_groups();
    names();
    freed_while_used();
    return test_finish();
}
