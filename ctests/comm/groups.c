/* Group operations: set operations with the order MPI prescribes, incl and excl, ranges with negative
 * strides, translation and comparison. Local: no communication, one rank is enough, but the ranks
 * of a world of five give interesting groups. */
#include "../test.h"

static MPI_Group world;
static int size;

/* The group's members in world ranks, compared with a text like "0 2 4". */
static void members(const char *what, MPI_Group group, const char *expected) {
    char text[400] = "";
    int n = -1, i, *mine, *theirs;
    MUST(MPI_Group_size(group, &n));
    if (n < 0) return;
    mine = test_alloc((size_t)n * sizeof(int)), theirs = test_alloc((size_t)n * sizeof(int));
    for (i = 0; i < n; i++) mine[i] = i;
    MUST(MPI_Group_translate_ranks(group, n, mine, world, theirs));
    for (i = 0; i < n; i++) sprintf(text + strlen(text), i ? " %d" : "%d", theirs[i]);
    SAME_TEXT(what, expected, text);
    free(mine);
    free(theirs);
}

static MPI_Group incl(int n, int a, int b, int c) {
    int list[3];
    MPI_Group group;
    list[0] = a, list[1] = b, list[2] = c;
    MUST(MPI_Group_incl(world, n, list, &group));
    return group;
}

int main(int argc, char **argv) {
    MPI_Group a, b, c, again;
    int rank, result, list[5], other[5], range[3][3];
    test_start(&argc, &argv);
    MUST(MPI_Comm_group(MPI_COMM_WORLD, &world));
    MUST(MPI_Group_size(world, &size));
    MUST(MPI_Group_rank(world, &rank));
    EQUAL("size", test_size, size);
    EQUAL("rank", test_rank, rank);
    if (size != 5) {
        printf("this test needs 5 ranks\n");
        test_errors++;
        return test_finish();
    }
    STEP("incl and excl");
    a = incl(3, 4, 0, 2);
    members("incl", a, "4 0 2");
    MUST(MPI_Group_rank(a, &rank));
    EQUAL("my rank", test_rank == 4 ? 0 : test_rank == 0 ? 1 : test_rank == 2 ? 2 : MPI_UNDEFINED, rank);
    list[0] = 3, list[1] = 1;
    MUST(MPI_Group_excl(world, 2, list, &b));
    members("excl", b, "0 2 4");
    MUST(MPI_Group_compare(a, b, &result));
    EQUAL("similar", MPI_SIMILAR, result);
    MUST(MPI_Group_free(&b));
    CHECK(b == MPI_GROUP_NULL, "free left the handle");
    MUST(MPI_Group_excl(world, 0, NULL, &b));
    MUST(MPI_Group_compare(world, b, &result));
    EQUAL("equal", MPI_IDENT, result);
    MUST(MPI_Group_free(&b));
    MUST(MPI_Group_incl(world, 0, NULL, &b));
    MUST(MPI_Group_size(b, &result));
    EQUAL("incl of nothing is empty", 0, result);
    MUST(MPI_Group_compare(b, MPI_GROUP_EMPTY, &result));
    EQUAL("empty groups are equal", MPI_IDENT, result);

    STEP("set operations");
    b = incl(3, 1, 2, 0);
    MUST(MPI_Group_union(a, b, &c));
    members("union: the first's, then what the second adds", c, "4 0 2 1");
    MUST(MPI_Group_free(&c));
    MUST(MPI_Group_intersection(a, b, &c));
    members("intersection: in the first's order", c, "0 2");
    MUST(MPI_Group_free(&c));
    MUST(MPI_Group_intersection(b, a, &c));
    members("intersection the other way", c, "2 0");
    MUST(MPI_Group_free(&c));
    MUST(MPI_Group_difference(a, b, &c));
    members("difference", c, "4");
    MUST(MPI_Group_compare(a, c, &result));
    EQUAL("unequal", MPI_UNEQUAL, result);
    MUST(MPI_Group_free(&c));
    MUST(MPI_Group_difference(a, a, &c));
    MUST(MPI_Group_size(c, &result));
    EQUAL("difference with itself", 0, result);
    MUST(MPI_Group_free(&c));
    MUST(MPI_Group_union(MPI_GROUP_EMPTY, a, &c));
    MUST(MPI_Group_compare(a, c, &result));
    EQUAL("union with the empty group", MPI_IDENT, result);
    MUST(MPI_Group_free(&c));

    STEP("ranges");
    range[0][0] = 4, range[0][1] = 0, range[0][2] = -2;
    MUST(MPI_Group_range_incl(world, 1, range, &c));
    members("backwards", c, "4 2 0");
    MUST(MPI_Group_free(&c));
    range[0][0] = 1, range[0][1] = 1, range[0][2] = 7;
    range[1][0] = 0, range[1][1] = 4, range[1][2] = 3;
    range[2][0] = 4, range[2][1] = 4, range[2][2] = 1;
    MUST(MPI_Group_range_incl(world, 3, range, &c));
    members("three ranges", c, "1 0 3 4");
    MUST(MPI_Group_free(&c));
    MUST(MPI_Group_range_excl(world, 2, range, &c));
    members("range_excl", c, "2 4");
    MUST(MPI_Group_free(&c));
    MUST(MPI_Group_range_excl(a, 0, range, &c));
    members("range_excl of nothing", c, "4 0 2");
    MUST(MPI_Group_free(&c));

    STEP("translate");
    list[0] = 0, list[1] = 1, list[2] = 2, list[3] = MPI_PROC_NULL;
    MUST(MPI_Group_translate_ranks(a, 4, list, b, other));
    EQUAL("4 is not in b", MPI_UNDEFINED, other[0]);
    EQUAL("0", 2, other[1]);
    EQUAL("2", 1, other[2]);
    EQUAL("MPI_PROC_NULL", MPI_PROC_NULL, other[3]);
    MUST(MPI_Group_translate_ranks(a, 0, NULL, b, NULL));

    STEP("group of a communicator outlives it");
    {
        MPI_Comm comm;
        MUST(MPI_Comm_split(MPI_COMM_WORLD, 0, -test_rank, &comm));
        MUST(MPI_Comm_group(comm, &c));
        MUST(MPI_Comm_free(&comm));
        members("reversed", c, "4 3 2 1 0");
        MUST(MPI_Comm_group(MPI_COMM_WORLD, &again));
        MUST(MPI_Group_compare(world, again, &result));
        EQUAL("the world's group again", MPI_IDENT, result);
        MUST(MPI_Group_free(&again));
        MUST(MPI_Group_free(&c));
    }
    MUST(MPI_Comm_group(MPI_COMM_SELF, &c));
    MUST(MPI_Group_size(c, &result));
    EQUAL("self", 1, result);
    MUST(MPI_Group_free(&c));
    MUST(MPI_Group_free(&a));
    MUST(MPI_Group_free(&b));
    MUST(MPI_Group_free(&world));
    return test_finish();
}
