/* Bad arguments to calls that make or change objects: groups, communicators, datatypes, infos,
 * topologies; and operations that a datatype does not have. */
#include "../test.h"
#include "quiet.h"

static int word, flag;

static void groups(void) {
    MPI_Group world, out;
    int list[3] = {0, 0, 0}, range[1][3] = {{0, 0, 0}};
    STEP("groups");
    MUST(MPI_Comm_group(MPI_COMM_WORLD, &world));
    list[0] = test_size;
    FAILS(MPI_ERR_RANK, MPI_Group_incl(world, 1, list, &out));
    FAILS(MPI_ERR_RANK, MPI_Group_excl(world, 1, list, &out));
    FAILS(MPI_ERR_RANK, MPI_Group_translate_ranks(world, 1, list, world, &word));
    list[0] = -1;
    FAILS(MPI_ERR_RANK, MPI_Group_incl(world, 1, list, &out));
    list[0] = list[1] = 0;
    FAILS(MPI_ERR_RANK, MPI_Group_incl(world, 2, list, &out));
    FAILS(MPI_ERR_ARG, MPI_Group_incl(world, -1, list, &out));
    FAILS(MPI_ERR_ARG, MPI_Group_range_incl(world, -1, range, &out));
    FAILS(MPI_ERR_ARG, MPI_Group_range_incl(world, 1, range, &out));
    range[0][0] = 0, range[0][1] = test_size, range[0][2] = 1;
    FAILS_EITHER(MPI_ERR_RANK, MPI_ERR_ARG, MPI_Group_range_incl(world, 1, range, &out));
    range[0][1] = -3, range[0][2] = 1;
    FAILS_EITHER(MPI_ERR_RANK, MPI_ERR_ARG, MPI_Group_range_excl(world, 1, range, &out));
    MUST(MPI_Group_free(&world));
}

static void comms(void) {
    MPI_Comm comm, smaller;
    MPI_Group world, self;
    int d[2] = {0, 1}, periods[2] = {0, 0}, n;
    STEP("communicators");
    MUST(MPI_Comm_group(MPI_COMM_WORLD, &world));
    MUST(MPI_Comm_group(MPI_COMM_SELF, &self));
    FAILS(MPI_ERR_ARG, MPI_Comm_split(MPI_COMM_WORLD, -5, 0, &comm));
    FAILS(MPI_ERR_ARG, MPI_Comm_split_type(MPI_COMM_WORLD, -77, 0, MPI_INFO_NULL, &comm));
    if (test_size > 1) {
        MUST(MPI_Comm_dup(MPI_COMM_SELF, &smaller));
        MPI_Comm_set_errhandler(smaller, MPI_ERRORS_RETURN);
        FAILS(MPI_ERR_GROUP, MPI_Comm_create(smaller, world, &comm));
        MUST(MPI_Comm_free(&smaller));
    }
    STEP("topologies");
    FAILS_EITHER(MPI_ERR_DIMS, MPI_ERR_ARG, MPI_Cart_create(MPI_COMM_WORLD, -1, d, periods, 0, &comm));
    d[0] = test_size + 1;
    FAILS_EITHER(MPI_ERR_DIMS, MPI_ERR_ARG, MPI_Cart_create(MPI_COMM_WORLD, 2, d, periods, 0, &comm));
    d[0] = -1;
    FAILS_EITHER(MPI_ERR_DIMS, MPI_ERR_ARG, MPI_Cart_create(MPI_COMM_WORLD, 2, d, periods, 0, &comm));
    FAILS(MPI_ERR_TOPOLOGY, MPI_Cartdim_get(MPI_COMM_WORLD, &n));
    FAILS(MPI_ERR_TOPOLOGY, MPI_Cart_rank(MPI_COMM_WORLD, d, &n));
    FAILS(MPI_ERR_TOPOLOGY, MPI_Cart_coords(MPI_COMM_WORLD, 0, 2, d));
    FAILS(MPI_ERR_TOPOLOGY, MPI_Cart_shift(MPI_COMM_WORLD, 0, 1, &n, &word));
    d[0] = 4, d[1] = 0;
    FAILS(MPI_ERR_DIMS, MPI_Dims_create(7, 2, d));
    d[0] = -4;
    FAILS_EITHER(MPI_ERR_DIMS, MPI_ERR_ARG, MPI_Dims_create(8, 2, d));
    d[0] = test_size, d[1] = 1;
    MUST(MPI_Cart_create(MPI_COMM_WORLD, 2, d, periods, 0, &comm));
    d[0] = test_size, d[1] = 0;
    FAILS_EITHER(MPI_ERR_RANK, MPI_ERR_ARG, MPI_Cart_rank(comm, d, &n));
    FAILS_EITHER(MPI_ERR_DIMS, MPI_ERR_ARG, MPI_Cart_shift(comm, 2, 1, &n, &word));
    FAILS(MPI_ERR_RANK, MPI_Cart_coords(comm, test_size, 2, d));
    MUST(MPI_Comm_free(&comm));
    MUST(MPI_Group_free(&world));
    MUST(MPI_Group_free(&self));
}

static void types(void) {
    MPI_Datatype out, integer = MPI_INT;
    int one = 1, minus = -1, sizes[2] = {4, 4}, sub[2] = {2, 2}, start[2] = {3, 0};
    MPI_Aint zero = 0;
    STEP("datatypes");
    FAILS(MPI_ERR_COUNT, MPI_Type_contiguous(-1, MPI_INT, &out));
    FAILS(MPI_ERR_COUNT, MPI_Type_vector(-1, 1, 1, MPI_INT, &out));
    FAILS_EITHER(MPI_ERR_ARG, MPI_ERR_COUNT, MPI_Type_vector(1, -1, 1, MPI_INT, &out));
    FAILS(MPI_ERR_COUNT, MPI_Type_create_hvector(-1, 1, 1, MPI_INT, &out));
    FAILS(MPI_ERR_COUNT, MPI_Type_indexed(-1, &one, &one, MPI_INT, &out));
    FAILS_EITHER(MPI_ERR_ARG, MPI_ERR_COUNT, MPI_Type_indexed(1, &minus, &one, MPI_INT, &out));
    FAILS(MPI_ERR_COUNT, MPI_Type_create_struct(-1, &one, &zero, &integer, &out));
    FAILS_EITHER(MPI_ERR_ARG, MPI_ERR_COUNT, MPI_Type_create_struct(1, &minus, &zero, &integer, &out));
    FAILS(MPI_ERR_ARG, MPI_Type_indexed(1, NULL, &one, MPI_INT, &out));
    /* 2 from 3 on does not fit 4. */
    FAILS(MPI_ERR_ARG, MPI_Type_create_subarray(2, sizes, sub, start, MPI_ORDER_C, MPI_INT, &out));
    start[0] = -1;
    FAILS_EITHER(MPI_ERR_ARG, MPI_ERR_COUNT, MPI_Type_create_subarray(2, sizes, sub, start, MPI_ORDER_C, MPI_INT, &out));
    start[0] = 0, sub[1] = 5;
    FAILS(MPI_ERR_ARG, MPI_Type_create_subarray(2, sizes, sub, start, MPI_ORDER_C, MPI_INT, &out));
    sub[1] = 2;
    FAILS(MPI_ERR_ARG, MPI_Type_create_subarray(2, sizes, sub, start, 12345, MPI_INT, &out));
    FAILS_EITHER(MPI_ERR_ARG, MPI_ERR_DIMS, MPI_Type_create_subarray(-1, sizes, sub, start, MPI_ORDER_C, MPI_INT, &out));
    STEP("get_contents");
    {
        int integers[4];
        MPI_Aint addresses[2];
        MPI_Datatype inside[2];
        FAILS(MPI_ERR_TYPE, MPI_Type_get_contents(MPI_INT, 4, 2, 2, integers, addresses, inside));
        MUST(MPI_Type_vector(2, 1, 2, MPI_INT, &out));
        CHECK(MPI_Type_get_contents(out, 1, 0, 1, integers, addresses, inside) != MPI_SUCCESS, "three integers fit in one");
        MUST(MPI_Type_free(&out));
    }
    STEP("pack");
    {
        char room[8];
        int data[4] = {1, 2, 3, 4}, at = 0;
        FAILS_EITHER(MPI_ERR_ARG, MPI_ERR_TRUNCATE, MPI_Pack(data, 4, MPI_INT, room, sizeof room, &at, MPI_COMM_WORLD));
        at = 0;
        FAILS_EITHER(MPI_ERR_ARG, MPI_ERR_TRUNCATE,
                     MPI_Unpack(room, sizeof room, &at, data, 4, MPI_INT, MPI_COMM_WORLD));
        FAILS(MPI_ERR_COUNT, MPI_Pack(data, -1, MPI_INT, room, sizeof room, &at, MPI_COMM_WORLD));
    }
}

static void infos(void) {
    MPI_Info info;
    char key[MPI_MAX_INFO_KEY + 10], *wide = test_alloc(MPI_MAX_INFO_VAL + 10);
    STEP("info");
    memset(key, 'k', sizeof key);
    key[sizeof key - 1] = 0;
    memset(wide, 'v', MPI_MAX_INFO_VAL + 9);
    wide[MPI_MAX_INFO_VAL + 9] = 0;
    MUST(MPI_Info_create(&info));
    FAILS(MPI_ERR_INFO_KEY, MPI_Info_set(info, key, "v"));
    FAILS(MPI_ERR_INFO_KEY, MPI_Info_set(info, "", "v"));
    FAILS_EITHER(MPI_ERR_INFO_KEY, MPI_ERR_ARG, MPI_Info_set(info, NULL, "v"));
    FAILS(MPI_ERR_INFO_VALUE, MPI_Info_set(info, "k", wide));
    FAILS_EITHER(MPI_ERR_INFO_VALUE, MPI_ERR_ARG, MPI_Info_set(info, "k", NULL));
    FAILS(MPI_ERR_INFO_NOKEY, MPI_Info_delete(info, "absent"));
    FAILS(MPI_ERR_ARG, MPI_Info_get_nthkey(info, 0, key));
    FAILS(MPI_ERR_ARG, MPI_Info_get_nthkey(info, -1, key));
    FAILS_EITHER(MPI_ERR_ARG, MPI_ERR_INFO_VALUE, MPI_Info_get(info, "k", -1, wide, &flag));
    MUST(MPI_Info_free(&info));
    free(wide);
}

/* Local, so that no rank waits for another. */
static void operations(void) {
    double a = 1, b = 2;
    char c = 1, d = 2;
    MPI_Datatype pair;
    STEP("operations that a type does not have");
    FAILS(MPI_ERR_OP, MPI_Reduce_local(&a, &b, 1, MPI_DOUBLE, MPI_BAND));
    FAILS(MPI_ERR_OP, MPI_Reduce_local(&a, &b, 1, MPI_DOUBLE, MPI_MAXLOC));
    FAILS(MPI_ERR_OP, MPI_Reduce_local(&c, &d, 1, MPI_BYTE, MPI_SUM));
    FAILS(MPI_ERR_OP, MPI_Allreduce(&a, &b, 1, MPI_C_DOUBLE_COMPLEX, MPI_MAX, MPI_COMM_SELF));
    MUST(MPI_Type_contiguous(2, MPI_INT, &pair));
    MUST(MPI_Type_commit(&pair));
    FAILS(MPI_ERR_OP, MPI_Reduce_local(&a, &b, 1, pair, MPI_SUM));
    MUST(MPI_Type_free(&pair));
    FAILS(MPI_ERR_COUNT, MPI_Reduce_local(&a, &b, -1, MPI_DOUBLE, MPI_SUM));
}

int main(int argc, char **argv) {
    test_start(&argc, &argv);
    errors_return();
    groups();
    comms();
    types();
    infos();
    operations();
    return test_finish();
}
