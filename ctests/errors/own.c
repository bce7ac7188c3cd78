/* Whose error handler is called: one call that fails for each function that has a communicator, session, window,
 * file, request or message among its arguments. Exactly the object's own handler is called, once and with the
 * object. MPI_Barrier has no argument that could be wrong; of windows and files there are only the null ones. */
#include "../test.h"
#include "quiet.h"

/* Open MPI 5.0 has MPI-4.0's calls and says that it is 3.1. */
#if defined(OMPI_MAJOR_VERSION) && OMPI_MAJOR_VERSION >= 5
#define TEST_MPI 4
#else
#define TEST_MPI MPI_VERSION
#endif

enum whose { MINE, SELF, WORLD, ANOTHER, FILES, SESSION, KINDS };
static const char *const names[KINDS] = {"mine", "MPI_COMM_SELF's", "MPI_COMM_WORLD's", "another communicator's",
                                         "MPI_FILE_NULL's", "the session's"};
static int calls[KINDS];
static MPI_Comm mine;
static int me, word, two[2], flag, n;
static MPI_Request r = MPI_REQUEST_NULL;
static MPI_Status s;
static MPI_Comm c;

static void of_comm(MPI_Comm *comm, int *code, ...) {
    (void)code;
    calls[*comm == mine ? MINE : *comm == MPI_COMM_SELF ? SELF : *comm == MPI_COMM_WORLD ? WORLD : ANOTHER]++;
}

static void of_file(MPI_File *file, int *code, ...) {
    (void)code;
    calls[FILES] += *file == MPI_FILE_NULL ? 1 : 100;
}

static void check(int line, const char *call, enum whose whose, int code) {
    int kind;
    if (code == MPI_SUCCESS) test_fail(__FILE__, line, "%s: no error", call);
    for (kind = 0; kind < KINDS; kind++)
        if (calls[kind] != (kind == (int)whose))
            test_fail(__FILE__, line, "%s: %s handler was called %d times", call, names[kind], calls[kind]);
    memset(calls, 0, sizeof calls);
}

#define ON(whose, call) check(__LINE__, #call, whose, (call))

static void messages(void) {
    MPI_Message message = MPI_MESSAGE_NULL;
    STEP("point-to-point");
    ON(MINE, MPI_Send(&word, -1, MPI_INT, me, 0, mine));
    ON(MINE, MPI_Bsend(&word, -1, MPI_INT, me, 0, mine));
    ON(MINE, MPI_Ssend(&word, -1, MPI_INT, me, 0, mine));
    ON(MINE, MPI_Rsend(&word, -1, MPI_INT, me, 0, mine));
    ON(MINE, MPI_Recv(&word, -1, MPI_INT, me, 0, mine, &s));
    ON(MINE, MPI_Isend(&word, -1, MPI_INT, me, 0, mine, &r));
    ON(MINE, MPI_Ibsend(&word, -1, MPI_INT, me, 0, mine, &r));
    ON(MINE, MPI_Issend(&word, -1, MPI_INT, me, 0, mine, &r));
    ON(MINE, MPI_Irsend(&word, -1, MPI_INT, me, 0, mine, &r));
    ON(MINE, MPI_Irecv(&word, -1, MPI_INT, me, 0, mine, &r));
    ON(MINE, MPI_Send_init(&word, -1, MPI_INT, me, 0, mine, &r));
    ON(MINE, MPI_Bsend_init(&word, -1, MPI_INT, me, 0, mine, &r));
    ON(MINE, MPI_Ssend_init(&word, -1, MPI_INT, me, 0, mine, &r));
    ON(MINE, MPI_Rsend_init(&word, -1, MPI_INT, me, 0, mine, &r));
    ON(MINE, MPI_Recv_init(&word, -1, MPI_INT, me, 0, mine, &r));
    ON(MINE, MPI_Sendrecv(&word, -1, MPI_INT, me, 0, &n, 1, MPI_INT, me, 0, mine, &s));
    ON(MINE, MPI_Sendrecv_replace(&word, -1, MPI_INT, me, 0, me, 0, mine, &s));
    ON(MINE, MPI_Probe(me, -5, mine, &s));
    ON(MINE, MPI_Iprobe(me, -5, mine, &flag, &s));
    ON(MINE, MPI_Mprobe(me, -5, mine, &message, &s));
    ON(MINE, MPI_Improbe(me, -5, mine, &flag, &message, &s));
    ON(MINE, MPI_Pack(&word, -1, MPI_INT, two, 8, &n, mine));
    ON(MINE, MPI_Unpack(two, 8, &n, &word, -1, MPI_INT, mine));
    ON(MINE, MPI_Pack_size(-1, MPI_INT, mine, &n));
    STEP("messages");
    MUST(MPI_Send(two, 2, MPI_INT, me, 1, mine));
    MUST(MPI_Mprobe(me, 1, mine, &message, &s));
    ON(MINE, MPI_Mrecv(two, -1, MPI_INT, &message, &s));
    ON(MINE, MPI_Imrecv(two, -1, MPI_INT, &message, &r));
    ON(MINE, MPI_Mrecv(&word, 1, MPI_INT, &message, &s));
    CHECK(message == MPI_MESSAGE_NULL, "a received message has a handle");
    ON(SELF, MPI_Mrecv(&word, 1, MPI_INT, &message, &s));
#if TEST_MPI >= 4
    ON(MINE, MPI_Isendrecv(&word, -1, MPI_INT, me, 0, &n, 1, MPI_INT, me, 0, mine, &r));
    ON(MINE, MPI_Isendrecv_replace(&word, -1, MPI_INT, me, 0, me, 0, mine, &r));
    ON(MINE, MPI_Psend_init(&word, -1, 1, MPI_INT, me, 0, mine, MPI_INFO_NULL, &r));
    ON(MINE, MPI_Precv_init(&word, -1, 1, MPI_INT, me, 0, mine, MPI_INFO_NULL, &r));
#endif
}

#if TEST_MPI >= 4
#define FORMS(name, lower, ...)                     \
    ON(MINE, MPI_##name(__VA_ARGS__, mine));        \
    ON(MINE, MPI_I##lower(__VA_ARGS__, mine, &r)); \
    ON(MINE, MPI_##name##_init(__VA_ARGS__, mine, MPI_INFO_NULL, &r))
#else
#define FORMS(name, lower, ...)              \
    ON(MINE, MPI_##name(__VA_ARGS__, mine)); \
    ON(MINE, MPI_I##lower(__VA_ARGS__, mine, &r))
#endif

static void collectives(void) {
    STEP("collectives");
    ON(MINE, MPI_Ibarrier(mine, NULL));
#if TEST_MPI >= 4
    ON(MINE, MPI_Barrier_init(mine, MPI_INFO_NULL, NULL));
#endif
    FORMS(Bcast, bcast, &word, -1, MPI_INT, 0);
    FORMS(Gather, gather, &word, -1, MPI_INT, two, 1, MPI_INT, 0);
    FORMS(Gatherv, gatherv, &word, -1, MPI_INT, two, NULL, NULL, MPI_INT, 0);
    FORMS(Scatter, scatter, two, 1, MPI_INT, &word, -1, MPI_INT, 0);
    FORMS(Scatterv, scatterv, two, NULL, NULL, MPI_INT, &word, -1, MPI_INT, 0);
    FORMS(Allgather, allgather, &word, -1, MPI_INT, two, 1, MPI_INT);
    FORMS(Allgatherv, allgatherv, &word, -1, MPI_INT, two, NULL, NULL, MPI_INT);
    FORMS(Alltoall, alltoall, two, -1, MPI_INT, two, 1, MPI_INT);
    FORMS(Alltoallv, alltoallv, two, NULL, NULL, MPI_INT, two, NULL, NULL, MPI_INT);
    FORMS(Alltoallw, alltoallw, two, NULL, NULL, NULL, two, NULL, NULL, NULL);
    FORMS(Reduce, reduce, &word, &n, -1, MPI_INT, MPI_SUM, 0);
    FORMS(Allreduce, allreduce, &word, &n, -1, MPI_INT, MPI_SUM);
    FORMS(Reduce_scatter, reduce_scatter, two, &n, NULL, MPI_INT, MPI_SUM);
    FORMS(Reduce_scatter_block, reduce_scatter_block, two, &n, -1, MPI_INT, MPI_SUM);
    FORMS(Scan, scan, &word, &n, -1, MPI_INT, MPI_SUM);
    FORMS(Exscan, exscan, &word, &n, -1, MPI_INT, MPI_SUM);
    FORMS(Neighbor_allgather, neighbor_allgather, &word, 1, MPI_INT, two, 1, MPI_INT);
    FORMS(Neighbor_allgatherv, neighbor_allgatherv, &word, 1, MPI_INT, two, NULL, NULL, MPI_INT);
    FORMS(Neighbor_alltoall, neighbor_alltoall, &word, 1, MPI_INT, two, 1, MPI_INT);
    FORMS(Neighbor_alltoallv, neighbor_alltoallv, &word, NULL, NULL, MPI_INT, two, NULL, NULL, MPI_INT);
    FORMS(Neighbor_alltoallw, neighbor_alltoallw, &word, NULL, NULL, NULL, two, NULL, NULL, NULL);
}


static int is_deleted;
static int deletes(MPI_Comm comm, int key, void *value, void *state) {
    (void)comm, (void)key, (void)value, (void)state;
    return is_deleted ? MPI_SUCCESS : MPI_ERR_OTHER;
}

static void communicators(void) {
    MPI_Group group, null = MPI_GROUP_NULL;
    MPI_Errhandler handler;
    MPI_Comm copy;
    MPI_Info info;
    int key = MPI_KEYVAL_INVALID, *value, periods[1] = {0}, dims[1] = {9999};
    char name[MPI_MAX_OBJECT_NAME];
    STEP("communicators");
    ON(MINE, MPI_Comm_rank(mine, NULL));
    ON(MINE, MPI_Comm_size(mine, NULL));
    ON(MINE, MPI_Comm_dup(mine, NULL));
    ON(MINE, MPI_Comm_dup_with_info(mine, MPI_INFO_NULL, NULL));
    ON(MINE, MPI_Comm_idup(mine, NULL, &r));
    ON(MINE, MPI_Comm_split(mine, -50, 0, &c));
    ON(MINE, MPI_Comm_split_type(mine, -50, 0, MPI_INFO_NULL, &c));
    ON(MINE, MPI_Comm_create(mine, null, &c));
    ON(MINE, MPI_Comm_create_group(mine, null, 0, &c));
    ON(MINE, MPI_Comm_group(mine, NULL));
    ON(MINE, MPI_Comm_compare(mine, MPI_COMM_NULL, &n));
    ON(MINE, MPI_Comm_remote_group(mine, &group));
    ON(MINE, MPI_Comm_remote_size(mine, &n));
    ON(MINE, MPI_Comm_test_inter(mine, NULL));
    ON(MINE, MPI_Comm_get_name(mine, NULL, &n));
    ON(MINE, MPI_Comm_get_name(mine, name, NULL));
    ON(MINE, MPI_Comm_set_name(mine, NULL));
    ON(MINE, MPI_Comm_get_info(mine, NULL));
    ON(MINE, MPI_Intercomm_create(mine, 9999, mine, 0, 0, &c));
    ON(MINE, MPI_Intercomm_merge(mine, 0, &c));
    ON(MINE, MPI_Comm_get_errhandler(mine, NULL));
    ON(MINE, MPI_Comm_set_errhandler(mine, MPI_ERRHANDLER_NULL));
    ON(MINE, MPI_Comm_set_attr(mine, MPI_KEYVAL_INVALID, NULL));
    ON(MINE, MPI_Comm_get_attr(mine, MPI_KEYVAL_INVALID, &value, &flag));
    ON(MINE, MPI_Comm_delete_attr(mine, MPI_KEYVAL_INVALID));
    ON(SELF, MPI_Comm_rank(MPI_COMM_NULL, &n));
    ON(WORLD, MPI_Comm_rank(MPI_COMM_WORLD, NULL));
    STEP("topologies");
    ON(MINE, MPI_Cart_create(mine, 1, dims, periods, 0, &c));
    ON(MINE, MPI_Graph_create(mine, 9999, dims, dims, 0, &c));
    ON(MINE, MPI_Dist_graph_create(mine, -1, NULL, NULL, NULL, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &c));
    ON(MINE, MPI_Dist_graph_create_adjacent(mine, -1, NULL, MPI_UNWEIGHTED, 0, NULL, MPI_UNWEIGHTED, MPI_INFO_NULL, 0,
                                            &c));
    ON(MINE, MPI_Cartdim_get(mine, &n));
    ON(MINE, MPI_Cart_get(mine, 1, dims, periods, two));
    ON(MINE, MPI_Cart_rank(mine, two, &n));
    ON(MINE, MPI_Cart_coords(mine, 0, 1, two));
    ON(MINE, MPI_Cart_shift(mine, 0, 1, two, &n));
    ON(MINE, MPI_Cart_sub(mine, periods, &c));
    ON(MINE, MPI_Cart_map(mine, -1, dims, periods, &n));
    ON(MINE, MPI_Graphdims_get(mine, &n, two));
    ON(MINE, MPI_Graph_get(mine, 1, 1, two, two));
    ON(MINE, MPI_Graph_neighbors(mine, 0, 1, two));
    ON(MINE, MPI_Graph_neighbors_count(mine, 0, &n));
    ON(MINE, MPI_Graph_map(mine, -1, dims, dims, &n));
    ON(MINE, MPI_Dist_graph_neighbors(mine, 0, NULL, MPI_UNWEIGHTED, 0, NULL, MPI_UNWEIGHTED));
    ON(MINE, MPI_Dist_graph_neighbors_count(mine, &n, &n, &n));
    ON(MINE, MPI_Topo_test(mine, NULL));
    STEP("freeing");
    MUST(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, deletes, &key, NULL));
    MUST(MPI_Comm_set_attr(mine, key, NULL));
    copy = mine;
    ON(MINE, MPI_Comm_free(&copy));
    CHECK(copy == mine, "a failed free took the handle away");
    ON(MINE, MPI_Comm_disconnect(&copy));
    CHECK(copy == mine, "a failed disconnect took the handle away");
    ON(MINE, MPI_Comm_delete_attr(mine, key));
    is_deleted = 1;
    MUST(MPI_Comm_delete_attr(mine, key));
    MUST(MPI_Comm_free_keyval(&key));
    copy = MPI_COMM_WORLD;
    ON(WORLD, MPI_Comm_free(&copy));
    ON(WORLD, MPI_Comm_disconnect(&copy));
    copy = MPI_COMM_SELF;
    ON(SELF, MPI_Comm_free(&copy));
    copy = MPI_COMM_NULL;
    ON(SELF, MPI_Comm_free(&copy));
    ON(SELF, MPI_Comm_free(NULL));
    ON(SELF, MPI_Comm_disconnect(&copy));
    /* A duplicate has a handler of its own. */
    MUST(MPI_Comm_dup(mine, &copy));
    MUST(MPI_Comm_get_errhandler(mine, &handler));
    MUST(MPI_Comm_set_errhandler(copy, handler));
    MUST(MPI_Errhandler_free(&handler));
    ON(ANOTHER, MPI_Comm_dup(copy, NULL));
    MUST(MPI_Comm_free(&copy));
    STEP("nothing that has a handler");
    MUST(MPI_Info_create(&info));
    ON(SELF, MPI_Info_get_nthkey(info, 77, name));
    MUST(MPI_Info_free(&info));
    ON(SELF, MPI_Group_free(&null));
    ON(SELF, MPI_Type_size(MPI_DATATYPE_NULL, &n));
#if MPI_VERSION >= 5
    STEP("buffers");
    MUST(MPI_Comm_attach_buffer(mine, MPI_BUFFER_AUTOMATIC, 0));
    ON(MINE, MPI_Comm_attach_buffer(mine, MPI_BUFFER_AUTOMATIC, 0));
    MUST(MPI_Comm_iflush_buffer(mine, &r));
    ON(MINE, MPI_Cancel(&r));
    MUST(MPI_Wait(&r, MPI_STATUS_IGNORE));
    MUST(MPI_Comm_detach_buffer(mine, &value, &n));
    ON(MINE, MPI_Comm_detach_buffer(mine, &value, &n));
    ON(MINE, MPI_Comm_iflush_buffer(mine, NULL));
#endif
}

/* A receive that is too short for what arrives. */
static MPI_Request truncated(void) {
    MPI_Request request;
    MUST(MPI_Irecv(&word, 1, MPI_INT, me, 2, mine, &request));
    MUST(MPI_Send(two, 2, MPI_INT, me, 2, mine));
    return request;
}

static void requests(void) {
    MPI_Request all[3] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    MPI_Status statuses[3];
    int indices[3];
    STEP("requests that fail");
    all[1] = truncated();
    ON(MINE, MPI_Wait(&all[1], &s));
    all[1] = truncated();
    ON(MINE, MPI_Wait(&all[1], MPI_STATUS_IGNORE));
    all[1] = truncated();
    ON(MINE, MPI_Test(&all[1], &flag, &s));
    all[1] = truncated();
    ON(MINE, MPI_Waitall(3, all, statuses));
    all[1] = truncated();
    all[2] = truncated();
    ON(MINE, MPI_Waitall(3, all, MPI_STATUSES_IGNORE));
    all[1] = truncated();
    ON(MINE, MPI_Waitany(3, all, &n, &s));
    all[1] = truncated();
    ON(MINE, MPI_Waitsome(3, all, &n, indices, statuses));
    all[1] = truncated();
    ON(MINE, MPI_Testall(3, all, &flag, statuses));
    all[1] = truncated();
    ON(MINE, MPI_Testany(3, all, &n, &flag, &s));
    all[1] = truncated();
    ON(MINE, MPI_Testsome(3, all, &n, indices, statuses));
    STEP("requests in a wrong state");
    MUST(MPI_Irecv(&word, 1, MPI_INT, me, 3, mine, &r));
    ON(MINE, MPI_Start(&r));
    ON(MINE, MPI_Startall(1, &r));
    ON(MINE, MPI_Request_get_status(r, NULL, &s));
    ON(MINE, MPI_Test(&r, NULL, &s));
    MUST(MPI_Cancel(&r));
    MUST(MPI_Wait(&r, MPI_STATUS_IGNORE));
    MUST(MPI_Recv_init(&word, 1, MPI_INT, me, 3, mine, &r));
    ON(MINE, MPI_Cancel(&r));
    MUST(MPI_Start(&r));
    ON(MINE, MPI_Start(&r));
    ON(MINE, MPI_Startall(1, &r));
    MUST(MPI_Cancel(&r));
    MUST(MPI_Wait(&r, MPI_STATUS_IGNORE));
    MUST(MPI_Request_free(&r));
    ON(SELF, MPI_Start(&r));
    ON(SELF, MPI_Startall(1, &r));
    ON(SELF, MPI_Cancel(&r));
    ON(SELF, MPI_Request_free(&r));
    ON(SELF, MPI_Wait(NULL, &s));
    ON(SELF, MPI_Waitall(-1, all, statuses));
    MUST(MPI_Iallreduce(&word, &n, 1, MPI_INT, MPI_SUM, mine, &r));
    ON(MINE, MPI_Cancel(&r));
    MUST(MPI_Wait(&r, MPI_STATUS_IGNORE));
#if TEST_MPI >= 4
    MUST(MPI_Allreduce_init(&word, &n, 1, MPI_INT, MPI_SUM, mine, MPI_INFO_NULL, &r));
    ON(MINE, MPI_Cancel(&r));
    MUST(MPI_Start(&r));
    ON(MINE, MPI_Start(&r));
    MUST(MPI_Wait(&r, MPI_STATUS_IGNORE));
    MUST(MPI_Request_free(&r));
    MUST(MPI_Isendrecv(&word, 1, MPI_INT, me, 4, &n, 1, MPI_INT, me, 4, mine, &r));
    ON(MINE, MPI_Cancel(&r));
    MUST(MPI_Wait(&r, MPI_STATUS_IGNORE));
    STEP("partitioned requests");
    MUST(MPI_Psend_init(two, 2, 1, MPI_INT, me, 5, mine, MPI_INFO_NULL, &all[0]));
    MUST(MPI_Precv_init(indices, 2, 1, MPI_INT, me, 5, mine, MPI_INFO_NULL, &all[1]));
    ON(MINE, MPI_Pready(0, all[0]));
    ON(MINE, MPI_Parrived(all[0], 0, &flag));
    ON(MINE, MPI_Parrived(all[1], 0, NULL));
    MUST(MPI_Startall(2, all));
    ON(MINE, MPI_Start(&all[0]));
    ON(MINE, MPI_Request_free(&all[0]));
    ON(MINE, MPI_Cancel(&all[1]));
    ON(MINE, MPI_Pready(7, all[0]));
    ON(MINE, MPI_Pready_range(1, 0, all[0]));
    ON(MINE, MPI_Pready_list(-1, indices, all[0]));
    ON(MINE, MPI_Parrived(all[1], 7, &flag));
    MUST(MPI_Pready_range(0, 1, all[0]));
    MUST(MPI_Waitall(2, all, MPI_STATUSES_IGNORE));
    MUST(MPI_Request_free(&all[0]));
    MUST(MPI_Request_free(&all[1]));
#endif
    STEP("a freed communicator's request");
    MUST(MPI_Comm_dup(MPI_COMM_SELF, &c));
    {
        MPI_Errhandler handler;
        MUST(MPI_Comm_create_errhandler(of_comm, &handler));
        MUST(MPI_Comm_set_errhandler(c, handler));
        MUST(MPI_Errhandler_free(&handler));
    }
    MUST(MPI_Recv_init(&word, 1, MPI_INT, 0, 3, c, &r));
    MUST(MPI_Comm_free(&c));
    ON(ANOTHER, MPI_Cancel(&r));
    MUST(MPI_Request_free(&r));
}

/* No window can be made yet: the communicator gets the errors of making one, MPI_COMM_SELF those of no window. */
static void windows(void) {
    MPI_Win win = MPI_WIN_NULL;
    MPI_Group group;
    void *base;
    int key = MPI_KEYVAL_INVALID;
    STEP("windows");
    ON(MINE, MPI_Win_create(&word, sizeof word, 1, MPI_INFO_NULL, mine, NULL));
    ON(MINE, MPI_Win_allocate(sizeof word, 1, MPI_INFO_NULL, mine, &base, NULL));
    ON(MINE, MPI_Win_allocate_shared(sizeof word, 1, MPI_INFO_NULL, mine, &base, NULL));
    ON(MINE, MPI_Win_create_dynamic(MPI_INFO_NULL, mine, NULL));
    ON(SELF, MPI_Win_free(&win));
    ON(SELF, MPI_Win_fence(0, win));
    ON(SELF, MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win));
    ON(SELF, MPI_Win_unlock(0, win));
    ON(SELF, MPI_Win_get_group(win, &group));
    ON(SELF, MPI_Put(&word, 1, MPI_INT, 0, 0, 1, MPI_INT, win));
    ON(SELF, MPI_Get(&word, 1, MPI_INT, 0, 0, 1, MPI_INT, win));
    ON(SELF, MPI_Accumulate(&word, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_SUM, win));
    ON(SELF, MPI_Rput(&word, 1, MPI_INT, 0, 0, 1, MPI_INT, win, &r));
    ON(SELF, MPI_Win_set_attr(win, key, NULL));
    ON(SELF, MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN));
}

static void files(void) {
    MPI_File f = MPI_FILE_NULL;
    MPI_Datatype type, filetype;
    MPI_Errhandler handler;
    MPI_Group group;
    MPI_Info info;
    MPI_Offset offset;
    MPI_Aint extent;
    char name[MPI_MAX_DATAREP_STRING];
    STEP("files");
    MUST(MPI_File_create_errhandler(of_file, &handler));
    MUST(MPI_File_set_errhandler(MPI_FILE_NULL, handler));
    MUST(MPI_Errhandler_free(&handler));
    ON(FILES, MPI_File_open(mine, "/nowhere/at all", MPI_MODE_RDONLY, MPI_INFO_NULL, &f));
    ON(FILES, MPI_File_open(mine, "/nowhere/at all", MPI_MODE_RDONLY, MPI_INFO_NULL, NULL));
    ON(FILES, MPI_File_open(MPI_COMM_NULL, "/nowhere/at all", MPI_MODE_RDONLY, MPI_INFO_NULL, &f));
    ON(FILES, MPI_File_delete("/nowhere/at all", MPI_INFO_NULL));
    ON(FILES, MPI_File_close(&f));
    ON(FILES, MPI_File_set_size(f, 0));
    ON(FILES, MPI_File_preallocate(f, 0));
    ON(FILES, MPI_File_get_size(f, &offset));
    ON(FILES, MPI_File_get_group(f, &group));
    ON(FILES, MPI_File_get_amode(f, &n));
    ON(FILES, MPI_File_set_info(f, MPI_INFO_NULL));
    ON(FILES, MPI_File_get_info(f, &info));
    ON(FILES, MPI_File_set_view(f, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL));
    ON(FILES, MPI_File_get_view(f, &offset, &type, &filetype, name));
    ON(FILES, MPI_File_read_at(f, 0, &word, 1, MPI_INT, &s));
    ON(FILES, MPI_File_write_at_all(f, 0, &word, 1, MPI_INT, &s));
    ON(FILES, MPI_File_iread_at(f, 0, &word, 1, MPI_INT, &r));
    ON(FILES, MPI_File_read(f, &word, 1, MPI_INT, &s));
    ON(FILES, MPI_File_write_all(f, &word, 1, MPI_INT, &s));
    ON(FILES, MPI_File_iwrite(f, &word, 1, MPI_INT, &r));
    ON(FILES, MPI_File_iread_all(f, &word, 1, MPI_INT, &r));
    ON(FILES, MPI_File_seek(f, 0, MPI_SEEK_SET));
    ON(FILES, MPI_File_get_position(f, &offset));
    ON(FILES, MPI_File_get_byte_offset(f, 0, &offset));
    ON(FILES, MPI_File_read_shared(f, &word, 1, MPI_INT, &s));
    ON(FILES, MPI_File_write_ordered(f, &word, 1, MPI_INT, &s));
    ON(FILES, MPI_File_seek_shared(f, 0, MPI_SEEK_SET));
    ON(FILES, MPI_File_read_all_begin(f, &word, 1, MPI_INT));
    ON(FILES, MPI_File_read_all_end(f, &word, &s));
    ON(FILES, MPI_File_get_type_extent(f, MPI_INT, &extent));
    ON(FILES, MPI_Register_datarep("of mine", NULL, NULL, NULL, NULL));
    ON(FILES, MPI_File_set_atomicity(f, 1));
    ON(FILES, MPI_File_get_atomicity(f, &flag));
    ON(FILES, MPI_File_sync(f));
    ON(FILES, MPI_File_get_errhandler(f, NULL));
    MUST(MPI_File_set_errhandler(MPI_FILE_NULL, MPI_ERRORS_RETURN));
}

#if TEST_MPI >= 4
static MPI_Session session = MPI_SESSION_NULL;

static void of_session(MPI_Session *object, int *code, ...) {
    (void)code;
    calls[SESSION] += *object == session ? 1 : 100;
}

static void sessions(void) {
    MPI_Session null = MPI_SESSION_NULL;
    MPI_Errhandler handler;
    MPI_Group group;
    MPI_Info info;
    char name[MPI_MAX_PSET_NAME_LEN];
    STEP("sessions");
    MUST(MPI_Session_create_errhandler(of_session, &handler));
    MUST(MPI_Session_init(MPI_INFO_NULL, handler, &session));
    MUST(MPI_Errhandler_free(&handler));
    ON(SESSION, MPI_Session_get_num_psets(session, MPI_INFO_NULL, NULL));
    n = sizeof name;
    ON(SESSION, MPI_Session_get_nth_pset(session, MPI_INFO_NULL, -1, &n, name));
    ON(SESSION, MPI_Session_get_info(session, NULL));
    ON(SESSION, MPI_Session_get_pset_info(session, "nowhere", &info));
    ON(SESSION, MPI_Group_from_session_pset(session, "nowhere", &group));
    ON(SESSION, MPI_Session_get_errhandler(session, NULL));
    ON(SESSION, MPI_Session_set_errhandler(session, MPI_ERRHANDLER_NULL));
    ON(SELF, MPI_Session_get_info(null, &info));
    ON(SELF, MPI_Session_finalize(&null));
#if MPI_VERSION >= 5
    MUST(MPI_Session_attach_buffer(session, MPI_BUFFER_AUTOMATIC, 0));
    ON(SESSION, MPI_Session_attach_buffer(session, MPI_BUFFER_AUTOMATIC, 0));
    MUST(MPI_Session_iflush_buffer(session, &r));
    ON(SESSION, MPI_Cancel(&r));
    MUST(MPI_Wait(&r, MPI_STATUS_IGNORE));
    MUST(MPI_Session_detach_buffer(session, name, &n));
    ON(SESSION, MPI_Session_detach_buffer(session, name, &n));
    ON(SESSION, MPI_Session_iflush_buffer(session, NULL));
#endif
    MUST(MPI_Group_from_session_pset(session, "mpi://SELF", &group));
    MUST(MPI_Comm_create_errhandler(of_comm, &handler));
    MUST(MPI_Comm_create_from_group(group, "own", MPI_INFO_NULL, handler, &c));
    MUST(MPI_Errhandler_free(&handler));
    MUST(MPI_Group_free(&group));
    ON(ANOTHER, MPI_Comm_size(c, NULL));
    MUST(MPI_Comm_free(&c));
    MUST(MPI_Session_finalize(&session));
    STEP("what would have had the handler");
    MUST(MPI_Comm_create_errhandler(of_comm, &handler));
    ON(ANOTHER, MPI_Comm_create_from_group(MPI_GROUP_NULL, "own", MPI_INFO_NULL, handler, &c));
    ON(ANOTHER, MPI_Comm_create_from_group(MPI_GROUP_EMPTY, "own", MPI_INFO_NULL, handler, NULL));
    ON(ANOTHER, MPI_Intercomm_create_from_groups(MPI_GROUP_NULL, 0, MPI_GROUP_NULL, 0, "own", MPI_INFO_NULL, handler,
                                                 &c));
    MUST(MPI_Errhandler_free(&handler));
    MUST(MPI_Session_create_errhandler(of_session, &handler));
    ON(SESSION, MPI_Session_init(MPI_INFO_NULL, handler, NULL));
    MUST(MPI_Errhandler_free(&handler));
}
#endif

int main(int argc, char **argv) {
    MPI_Errhandler handler;
    test_start(&argc, &argv);
    MUST(MPI_Comm_dup(MPI_COMM_WORLD, &mine));
    me = test_rank;
    MUST(MPI_Comm_create_errhandler(of_comm, &handler));
    MUST(MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler));
    MUST(MPI_Comm_set_errhandler(MPI_COMM_SELF, handler));
    MUST(MPI_Comm_set_errhandler(mine, handler));
    MUST(MPI_Errhandler_free(&handler));
    messages();
    collectives();
    communicators();
    requests();
    windows();
    files();
#if TEST_MPI >= 4
    sessions();
#endif
    MUST(MPI_Comm_free(&mine));
    return test_finish();
}
