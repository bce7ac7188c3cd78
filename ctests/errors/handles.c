/* Handles that are null, freed, of another kind, or (argument `garbage`) arbitrary bits: the class of
 * that kind of handle, in many calls, and never a crash. */
#include "../test.h"
#include "quiet.h"

static int word, flag;
static void *pointer;
static char text[MPI_MAX_OBJECT_NAME];
static MPI_Status status;
static MPI_Request request;

static void comms(MPI_Comm bad) {
    MPI_Comm out;
    MPI_Group group;
    FAILS(MPI_ERR_COMM, MPI_Comm_rank(bad, &word));
    FAILS(MPI_ERR_COMM, MPI_Comm_size(bad, &word));
    FAILS(MPI_ERR_COMM, MPI_Send(&word, 1, MPI_INT, 0, 0, bad));
    FAILS(MPI_ERR_COMM, MPI_Recv(&word, 1, MPI_INT, 0, 0, bad, &status));
    FAILS(MPI_ERR_COMM, MPI_Isend(&word, 1, MPI_INT, 0, 0, bad, &request));
    FAILS(MPI_ERR_COMM, MPI_Irecv(&word, 1, MPI_INT, 0, 0, bad, &request));
    FAILS(MPI_ERR_COMM, MPI_Send_init(&word, 1, MPI_INT, 0, 0, bad, &request));
    FAILS(MPI_ERR_COMM, MPI_Iprobe(0, 0, bad, &flag, &status));
    FAILS(MPI_ERR_COMM, MPI_Barrier(bad));
    FAILS(MPI_ERR_COMM, MPI_Bcast(&word, 1, MPI_INT, 0, bad));
    FAILS(MPI_ERR_COMM, MPI_Allreduce(MPI_IN_PLACE, &word, 1, MPI_INT, MPI_SUM, bad));
    FAILS(MPI_ERR_COMM, MPI_Allgather(MPI_IN_PLACE, 0, MPI_INT, &word, 1, MPI_INT, bad));
    FAILS(MPI_ERR_COMM, MPI_Comm_dup(bad, &out));
    FAILS(MPI_ERR_COMM, MPI_Comm_split(bad, 0, 0, &out));
    FAILS(MPI_ERR_COMM, MPI_Comm_create(bad, MPI_GROUP_EMPTY, &out));
    FAILS(MPI_ERR_COMM, MPI_Comm_group(bad, &group));
    FAILS(MPI_ERR_COMM, MPI_Comm_compare(bad, MPI_COMM_WORLD, &word));
    FAILS(MPI_ERR_COMM, MPI_Comm_compare(MPI_COMM_WORLD, bad, &word));
    FAILS(MPI_ERR_COMM, MPI_Comm_get_attr(bad, MPI_TAG_UB, &pointer, &flag));
    FAILS(MPI_ERR_COMM, MPI_Comm_set_name(bad, "x"));
    FAILS(MPI_ERR_COMM, MPI_Comm_set_errhandler(bad, MPI_ERRORS_RETURN));
    FAILS(MPI_ERR_COMM, MPI_Topo_test(bad, &word));
    out = bad;
    FAILS(MPI_ERR_COMM, MPI_Comm_free(&out));
}

static void types(MPI_Datatype bad) {
    MPI_Datatype out, pair[2];
    MPI_Aint a, b, places[2] = {0, 8};
    int lengths[2] = {1, 1};
    pair[0] = MPI_INT, pair[1] = bad;
    FAILS(MPI_ERR_TYPE, MPI_Send(&word, 1, bad, 0, 0, MPI_COMM_WORLD));
    FAILS(MPI_ERR_TYPE, MPI_Irecv(&word, 1, bad, 0, 0, MPI_COMM_WORLD, &request));
    FAILS(MPI_ERR_TYPE, MPI_Bcast(&word, 1, bad, 0, MPI_COMM_WORLD));
    FAILS_EITHER(MPI_ERR_TYPE, MPI_ERR_OP, MPI_Allreduce(MPI_IN_PLACE, &word, 1, bad, MPI_SUM, MPI_COMM_WORLD));
    FAILS(MPI_ERR_TYPE, MPI_Type_size(bad, &word));
    FAILS(MPI_ERR_TYPE, MPI_Type_get_extent(bad, &a, &b));
    FAILS(MPI_ERR_TYPE, MPI_Type_contiguous(2, bad, &out));
    FAILS(MPI_ERR_TYPE, MPI_Type_vector(2, 1, 2, bad, &out));
    FAILS(MPI_ERR_TYPE, MPI_Type_create_resized(bad, 0, 8, &out));
    FAILS(MPI_ERR_TYPE, MPI_Type_create_struct(2, lengths, places, pair, &out));
    FAILS(MPI_ERR_TYPE, MPI_Type_dup(bad, &out));
    FAILS(MPI_ERR_TYPE, MPI_Pack_size(1, bad, MPI_COMM_WORLD, &word));
    memset(&status, 0, sizeof status);
    FAILS(MPI_ERR_TYPE, MPI_Get_count(&status, bad, &word));
    FAILS(MPI_ERR_TYPE, MPI_Type_set_name(bad, "x"));
    out = bad;
    FAILS(MPI_ERR_TYPE, MPI_Type_commit(&out));
    FAILS(MPI_ERR_TYPE, MPI_Type_free(&out));
}

static void operations(MPI_Op bad) {
    int other = 0;
    FAILS(MPI_ERR_OP, MPI_Reduce(&word, &other, 1, MPI_INT, bad, 0, MPI_COMM_WORLD));
    FAILS(MPI_ERR_OP, MPI_Allreduce(&word, &other, 1, MPI_INT, bad, MPI_COMM_WORLD));
    FAILS(MPI_ERR_OP, MPI_Scan(&word, &other, 1, MPI_INT, bad, MPI_COMM_WORLD));
    FAILS(MPI_ERR_OP, MPI_Reduce_scatter_block(&word, &other, 1, MPI_INT, bad, MPI_COMM_WORLD));
    FAILS(MPI_ERR_OP, MPI_Reduce_local(&word, &other, 1, MPI_INT, bad));
    FAILS(MPI_ERR_OP, MPI_Op_commutative(bad, &other));
    FAILS(MPI_ERR_OP, MPI_Op_free(&bad));
}

static void groups(MPI_Group bad) {
    MPI_Group out;
    MPI_Comm comm;
    int zero = 0;
    FAILS(MPI_ERR_GROUP, MPI_Group_size(bad, &word));
    FAILS(MPI_ERR_GROUP, MPI_Group_rank(bad, &word));
    FAILS(MPI_ERR_GROUP, MPI_Group_incl(bad, 1, &zero, &out));
    FAILS(MPI_ERR_GROUP, MPI_Group_union(bad, MPI_GROUP_EMPTY, &out));
    FAILS(MPI_ERR_GROUP, MPI_Group_intersection(MPI_GROUP_EMPTY, bad, &out));
    FAILS(MPI_ERR_GROUP, MPI_Group_compare(bad, MPI_GROUP_EMPTY, &word));
    FAILS(MPI_ERR_GROUP, MPI_Group_translate_ranks(bad, 1, &zero, MPI_GROUP_EMPTY, &word));
    FAILS(MPI_ERR_GROUP, MPI_Comm_create(MPI_COMM_WORLD, bad, &comm));
    FAILS(MPI_ERR_GROUP, MPI_Comm_create_group(MPI_COMM_WORLD, bad, 0, &comm));
    FAILS(MPI_ERR_GROUP, MPI_Group_free(&bad));
}

static void infos(MPI_Info bad) {
    MPI_Info out;
    FAILS_EITHER(MPI_ERR_INFO, MPI_ERR_ARG, MPI_Info_set(bad, "key", "value"));
    FAILS_EITHER(MPI_ERR_INFO, MPI_ERR_ARG, MPI_Info_get(bad, "key", sizeof text - 1, text, &flag));
    FAILS_EITHER(MPI_ERR_INFO, MPI_ERR_ARG, MPI_Info_get_nkeys(bad, &word));
    FAILS_EITHER(MPI_ERR_INFO, MPI_ERR_ARG, MPI_Info_delete(bad, "key"));
    FAILS_EITHER(MPI_ERR_INFO, MPI_ERR_ARG, MPI_Info_dup(bad, &out));
    FAILS_EITHER(MPI_ERR_INFO, MPI_ERR_ARG, MPI_Info_free(&bad));
}

static void requests(MPI_Request bad) {
    MPI_Request one = bad, list[2];
    list[0] = MPI_REQUEST_NULL, list[1] = bad;
    FAILS(MPI_ERR_REQUEST, MPI_Wait(&one, &status));
    FAILS(MPI_ERR_REQUEST, MPI_Test(&one, &flag, &status));
    FAILS(MPI_ERR_REQUEST, MPI_Request_get_status(bad, &flag, &status));
    FAILS(MPI_ERR_REQUEST, MPI_Cancel(&one));
    FAILS(MPI_ERR_REQUEST, MPI_Start(&one));
    FAILS(MPI_ERR_REQUEST, MPI_Request_free(&one));
    FAILS(MPI_ERR_REQUEST, MPI_Waitall(2, list, MPI_STATUSES_IGNORE));
    FAILS(MPI_ERR_REQUEST, MPI_Waitany(2, list, &word, &status));
    FAILS(MPI_ERR_REQUEST, MPI_Testall(2, list, &flag, MPI_STATUSES_IGNORE));
}

/* MPI-4.1 has a class of its own for these; before it was MPI_ERR_ARG. */
static void error_handlers(MPI_Errhandler bad) {
    MPI_Errhandler one = bad;
    CHECK(MPI_Comm_set_errhandler(MPI_COMM_WORLD, bad) != MPI_SUCCESS, "a bad error handler was accepted");
    CHECK(MPI_Errhandler_free(&one) != MPI_SUCCESS, "a bad error handler was freed");
}

static void nothing(void *in, void *inout, int *count, MPI_Datatype *type) {
    (void)in;
    (void)inout;
    (void)count;
    (void)type;
}

static void other_kinds(void) {
    MPI_Comm comm, stale_comm, c, world = MPI_COMM_WORLD;
    MPI_Datatype type, stale_type, t, integer = MPI_INT;
    MPI_Op op, stale_op, o, sum = MPI_SUM;
    MPI_Group group, stale_group, g, empty = MPI_GROUP_EMPTY;
    MPI_Info info, stale_info, i;
    MPI_Request stale_request, r;
    MPI_Errhandler handler, fatal = MPI_ERRORS_ARE_FATAL;
    MUST(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    MUST(MPI_Type_contiguous(2, MPI_INT, &type));
    MUST(MPI_Type_commit(&type));
    MUST(MPI_Op_create(nothing, 1, &op));
    MUST(MPI_Comm_group(MPI_COMM_WORLD, &group));
    MUST(MPI_Info_create(&info));
    MUST(MPI_Recv_init(&word, 1, MPI_INT, 0, 0, MPI_COMM_SELF, &request));
    STEP("other kinds");
    FORGE(c, integer), comms(c);
    FORGE(c, type), comms(c);
    FORGE(c, op), comms(c);
    FORGE(t, world), types(t);
    FORGE(t, comm), types(t);
    FORGE(t, sum), types(t);
    FORGE(o, integer), operations(o);
    FORGE(o, type), operations(o);
    FORGE(o, fatal), operations(o);
    FORGE(g, world), groups(g);
    FORGE(g, comm), groups(g);
    FORGE(i, integer), infos(i);
    FORGE(i, group), infos(i);
    FORGE(r, empty), requests(r);
    FORGE(r, comm), requests(r);
    FORGE(handler, world), error_handlers(handler);
    FORGE(handler, type), error_handlers(handler);

    STEP("freed");
    stale_comm = comm, stale_type = type, stale_op = op, stale_group = group, stale_info = info;
    stale_request = request;
    MUST(MPI_Comm_free(&comm));
    MUST(MPI_Type_free(&type));
    MUST(MPI_Op_free(&op));
    MUST(MPI_Group_free(&group));
    MUST(MPI_Info_free(&info));
    MUST(MPI_Request_free(&request));
    comms(stale_comm);
    types(stale_type);
    operations(stale_op);
    groups(stale_group);
    infos(stale_info);
    requests(stale_request);
    /* A new object in the freed one's place does not bring the old handle back to life, except under
     * an ABI whose handles are addresses, where the same address may be handed out again. */
    STEP("freed, and the place taken again");
    MUST(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    MUST(MPI_Type_contiguous(3, MPI_INT, &type));
    if (comm != stale_comm) FAILS(MPI_ERR_COMM, MPI_Comm_rank(stale_comm, &word));
    if (type != stale_type) FAILS(MPI_ERR_TYPE, MPI_Type_size(stale_type, &word));
    MUST(MPI_Comm_free(&comm));
    MUST(MPI_Type_free(&type));
}

static void predefined(void) {
    MPI_Comm comm = MPI_COMM_WORLD;
    MPI_Datatype type = MPI_DOUBLE;
    MPI_Op op = MPI_SUM;
    STEP("predefined objects cannot be freed");
    FAILS(MPI_ERR_COMM, MPI_Comm_free(&comm));
    comm = MPI_COMM_SELF;
    FAILS(MPI_ERR_COMM, MPI_Comm_free(&comm));
    FAILS(MPI_ERR_TYPE, MPI_Type_free(&type));
    FAILS(MPI_ERR_OP, MPI_Op_free(&op));
}

static void keyvals(void) {
    int key = MPI_KEYVAL_INVALID, tag_ub = MPI_TAG_UB, again;
    STEP("keyvals");
    FAILS(MPI_ERR_KEYVAL, MPI_Comm_set_attr(MPI_COMM_WORLD, key, NULL));
    FAILS(MPI_ERR_KEYVAL, MPI_Comm_get_attr(MPI_COMM_WORLD, key, &pointer, &flag));
    FAILS(MPI_ERR_KEYVAL, MPI_Comm_delete_attr(MPI_COMM_WORLD, key));
    FAILS(MPI_ERR_KEYVAL, MPI_Comm_free_keyval(&key));
    FAILS(MPI_ERR_KEYVAL, MPI_Comm_set_attr(MPI_COMM_WORLD, tag_ub, NULL));
    FAILS(MPI_ERR_KEYVAL, MPI_Comm_delete_attr(MPI_COMM_WORLD, tag_ub));
    FAILS(MPI_ERR_KEYVAL, MPI_Comm_free_keyval(&tag_ub));
    FAILS(MPI_ERR_KEYVAL, MPI_Comm_set_attr(MPI_COMM_WORLD, 987654321, NULL));
    MUST(MPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, MPI_TYPE_NULL_DELETE_FN, &key, NULL));
    FAILS(MPI_ERR_KEYVAL, MPI_Comm_set_attr(MPI_COMM_WORLD, key, NULL));
    MUST(MPI_Type_free_keyval(&key));
    /* Freeing a key that is in use is no mistake, not even twice (MPI-5.0, 7.7.2); one that is gone is. */
    MUST(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &key, NULL));
    MUST(MPI_Comm_set_attr(MPI_COMM_WORLD, key, NULL));
    again = key;
    MUST(MPI_Comm_free_keyval(&again));
    again = key;
    MUST(MPI_Comm_free_keyval(&again));
    MUST(MPI_Comm_delete_attr(MPI_COMM_WORLD, key));
    FAILS(MPI_ERR_KEYVAL, MPI_Comm_free_keyval(&key));
}

/* Only where handles are numbers: where they are addresses, no library can tell a wild one. */
static void garbage(void) {
    static const unsigned long patterns[] = {0x1,        0x3ff,      0xffff,     0x12345678,         0x7fffffff, 0x80000000,
                                             0x84000001, 0xdeadbeef, 0xffffffff, 0x7f7f7f7f7f7f7f7f, 0xfff,      0x44000099,
                                             0x8c0fffff, 0x90000003, 0xffffffffffffffff};
    size_t i;
    STEP("garbage");
    for (i = 0; i < sizeof patterns / sizeof patterns[0]; i++) {
        MPI_Comm c;
        MPI_Datatype t;
        MPI_Op o;
        MPI_Group g;
        MPI_Info n;
        MPI_Request r;
        MPI_Errhandler h;
        FORGE(c, patterns[i]), comms(c);
        FORGE(t, patterns[i]), types(t);
        FORGE(o, patterns[i]), operations(o);
        FORGE(g, patterns[i]), groups(g);
        FORGE(n, patterns[i]), infos(n);
        FORGE(r, patterns[i]), requests(r);
        FORGE(h, patterns[i]), error_handlers(h);
    }
}

int main(int argc, char **argv) {
    test_start(&argc, &argv);
    errors_return();
    if (argc > 1)
        garbage();
    else {
        STEP("null");
        comms(MPI_COMM_NULL);
        types(MPI_DATATYPE_NULL);
        operations(MPI_OP_NULL);
        groups(MPI_GROUP_NULL);
        infos(MPI_INFO_NULL);
        error_handlers(MPI_ERRHANDLER_NULL);
        other_kinds();
        predefined();
        keyvals();
    }
    return test_finish();
}
