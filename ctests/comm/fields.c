/* What Open MPI's Fortran and C++ libraries read and write inside objects, done as they do it: they know Open
 * MPI's own structures. The argument says of which release, as communicators differ. */
#include "../test.h"
#include <stdint.h>

#ifdef OPEN_MPI
int ompi_attr_get_aint(void *attributes, int key, MPI_Aint *value, int *flag);
MPI_Errhandler ompi_errhandler_create(int type, void (*function)(void), int language);

/* Where the fields of a communicator are: flags, local and remote group, attributes. */
static struct {
    size_t flags, local, remote, attributes;
} place;
/* The language of a handler that is written in Fortran. */
static int fortran;

enum { GROUP_SIZE = 0x10, GROUP_INTEGER = 0x18, REQUEST_INTEGER = 0x68, TYPE_ATTRIBUTES = 0xd0, OP_FLAGS = 0x54 };
enum { INTER = 0x1, CART = 0x100, GRAPH = 0x200, OP_OF_FORTRAN = 0x2 };

static int word(const void *object, size_t offset) {
    int value;
    memcpy(&value, (const char *)object + offset, sizeof value);
    return value;
}

static void *pointer(const void *object, size_t offset) {
    void *value;
    memcpy(&value, (const char *)object + offset, sizeof value);
    return value;
}

/* An attribute as the bindings get it. */
static int has(void *attributes, int key, MPI_Aint expected) {
    MPI_Aint value = -1;
    int flag = -1;
    MUST(ompi_attr_get_aint(attributes, key, &value, &flag));
    return flag == 1 && value == expected;
}

/* A communicator that Fortran gives to its binding. */
static void communicator(const char *what, MPI_Comm comm) {
    MPI_Comm again = MPI_Comm_f2c(MPI_Comm_c2f(comm));
    int local, remote, inter, topology, key, flags, mine = 5;
    MPI_Comm_size(comm, &local);
    MPI_Comm_test_inter(comm, &inter);
    remote = local;
    if (inter) MPI_Comm_remote_size(comm, &remote);
    MPI_Topo_test(comm, &topology);
    flags = word(again, place.flags);
    test_step = what;
    CHECK(again == comm, "another handle");
    EQUAL("between groups", inter, (flags & INTER) != 0);
    EQUAL("grid", topology == MPI_CART, (flags & CART) != 0);
    EQUAL("graph", topology == MPI_GRAPH, (flags & GRAPH) != 0);
    EQUAL("local size", local, word(pointer(again, place.local), GROUP_SIZE));
    EQUAL("remote size", remote, word(pointer(again, place.remote), GROUP_SIZE));
    MUST(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &key, NULL));
    MUST(MPI_Comm_set_attr(comm, key, &mine));
    CHECK(has(pointer(again, place.attributes), key, (MPI_Aint)(intptr_t)&mine), "no such attribute");
    MUST(MPI_Comm_delete_attr(comm, key));
    MUST(MPI_Comm_free_keyval(&key));
}

static void communicators(void) {
    MPI_Comm comm, half, other;
    int size, rank, i, upper, dims[1], periods[1] = {0}, indices[16], edges[16];
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    communicator("world", MPI_COMM_WORLD);
    communicator("self", MPI_COMM_SELF);
    MPI_Comm_split(MPI_COMM_WORLD, upper = rank >= (size + 1) / 2, rank, &half);
    communicator("half", half);
    if (size > 1) {
        MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, upper ? 0 : (size + 1) / 2, 3, &comm);
        communicator("halves", comm);
        MPI_Intercomm_merge(comm, upper, &other);
        communicator("merged", other);
        MPI_Comm_free(&other);
        MPI_Comm_free(&comm);
    }
    dims[0] = size;
    MPI_Cart_create(MPI_COMM_WORLD, 1, dims, periods, 0, &comm);
    communicator("grid", comm);
    MPI_Comm_free(&comm);
    for (i = 0; i < size; i++) {
        indices[i] = i + 1;
        edges[i] = (i + 1) % size;
    }
    MPI_Graph_create(MPI_COMM_WORLD, size, indices, edges, 0, &comm);
    communicator("graph", comm);
    MPI_Comm_free(&comm);
    MPI_Comm_free(&half);
    /* Many at once, which must not lie in each other's fields. */
    {
        MPI_Comm many[8];
        for (i = 0; i < 8; i++) MPI_Comm_split(MPI_COMM_WORLD, rank < i ? 1 : 0, 0, &many[i]);
        for (i = 0; i < 8; i++) MPI_Comm_f2c(MPI_Comm_c2f(many[i]));
        for (i = 0; i < 8; i++) communicator("many", many[i]);
        for (i = 0; i < 8; i++) MPI_Comm_free(&many[i]);
    }
}

/* The bindings look for the INTEGER of a group that C has just made. */
static void groups(void) {
    MPI_Group world, group;
    int first = 0;
    STEP("groups");
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MUST(MPI_Group_incl(world, 1, &first, &group));
    EQUAL("integer", MPI_Group_c2f(group), word(group, GROUP_INTEGER));
    CHECK(word(group, GROUP_INTEGER) != MPI_Group_c2f(MPI_GROUP_NULL), "that of no group");
    MUST(MPI_Group_free(&group));
    MUST(MPI_Group_difference(world, world, &group));
    EQUAL("integer of an empty group", MPI_Group_c2f(group), word(group, GROUP_INTEGER));
    EQUAL("integer of the empty group", MPI_Group_c2f(MPI_GROUP_EMPTY), word(MPI_GROUP_EMPTY, GROUP_INTEGER));
    EQUAL("integer of no group", MPI_Group_c2f(MPI_GROUP_NULL), word(MPI_GROUP_NULL, GROUP_INTEGER));
    MUST(MPI_Group_free(&world));
}

static void requests(void) {
    MPI_Request request;
    MPI_Fint integer;
    int i;
    STEP("requests");
    MUST(MPI_Recv_init(&i, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &request));
    integer = MPI_Request_c2f(request);
    for (i = 0; i < 2; i++) {
        MUST(MPI_Start(&request));
        MUST(MPI_Wait(&request, MPI_STATUS_IGNORE));
        EQUAL("integer", integer, word(request, REQUEST_INTEGER));
    }
    MUST(MPI_Request_free(&request));
    EQUAL("integer of no request", MPI_Request_c2f(MPI_REQUEST_NULL), word(MPI_REQUEST_NULL, REQUEST_INTEGER));
}

static void types(void) {
    MPI_Datatype type, again;
    int key, mine = 7;
    STEP("types");
    MUST(MPI_Type_contiguous(3, MPI_INT, &type));
    MUST(MPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, MPI_TYPE_NULL_DELETE_FN, &key, NULL));
    MUST(MPI_Type_set_attr(type, key, &mine));
    again = MPI_Type_f2c(MPI_Type_c2f(type));
    CHECK(has(pointer(again, TYPE_ATTRIBUTES), key, (MPI_Aint)(intptr_t)&mine), "no such attribute");
    MUST(MPI_Type_delete_attr(type, key));
    MUST(MPI_Type_free_keyval(&key));
    MUST(MPI_Type_free(&type));
}

static int called;

static void combine(void *in, void *inout, int *length, MPI_Datatype *type) {
    called = *length == 1 && *(MPI_Fint *)type == MPI_Type_c2f(MPI_INT);
    *(int *)inout += *(int *)in;
}

/* The binding says that the function is Fortran's. */
static void operations(void) {
    MPI_Op op;
    int flags, from = 2, to = 3;
    STEP("operations");
    MUST(MPI_Op_create(combine, 1, &op));
    flags = word(op, OP_FLAGS) | OP_OF_FORTRAN;
    memcpy((char *)op + OP_FLAGS, &flags, sizeof flags);
    MPI_Op_c2f(op);
    MUST(MPI_Reduce_local(&from, &to, 1, MPI_INT, op));
    EQUAL("sum", 5, to);
    CHECK(called, "called as a function of C");
    MUST(MPI_Op_free(&op));
}

static MPI_Fint handled;

static void handle(MPI_Fint *comm, MPI_Fint *code) {
    (void)code;
    handled = *comm;
}

static void handlers(void) {
    MPI_Errhandler handler;
    MPI_Comm comm;
    int round;
    STEP("handlers");
    for (round = 0; round < 2; round++) {
        MPI_Comm_dup(MPI_COMM_WORLD, &comm);
        handler = ompi_errhandler_create(1, (void (*)(void))handle, fortran);
        MUST(MPI_Comm_set_errhandler(comm, handler));
        MUST(MPI_Errhandler_free(&handler));
        handled = -1;
        MPI_Comm_call_errhandler(comm, MPI_ERR_OTHER);
        EQUAL("communicator with the error", MPI_Comm_c2f(comm), handled);
        MPI_Comm_free(&comm);
    }
}
#endif

int main(int argc, char **argv) {
    test_start(&argc, &argv);
#ifdef OPEN_MPI
    if (argc > 1 && strcmp(argv[1], "4.1") == 0) {
        place.flags = 0xe8;
        place.local = 0xf8;
        place.remote = 0x100;
        place.attributes = 0x110;
        fortran = 2;
    } else {
        place.flags = 0xe0;
        place.local = 0x108;
        place.remote = 0x110;
        place.attributes = 0x120;
        fortran = 1;
    }
    communicators();
    groups();
    requests();
    types();
    operations();
    handlers();
#endif
    return test_finish();
}
