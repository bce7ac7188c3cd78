/* MPICH's generalised requests with a function that is called while somebody waits or tests, and its other
 * additions to requests and info objects. In other headers there is nothing to test. */
#include "../test.h"
#include "../errors/quiet.h"

#ifdef MPIX_GPU_SUPPORT_CUDA
struct work {
    MPI_Request request;
    int polls, waits, needed, freed;
};

static int query(void *extra, MPI_Status *status) {
    struct work *work = extra;
    MPI_Status_set_elements(status, MPI_INT, work->needed);
    MPI_Status_set_cancelled(status, 0);
    status->MPI_SOURCE = MPI_UNDEFINED;
    status->MPI_TAG = 17;
    return MPI_SUCCESS;
}

static int release(void *extra) {
    ((struct work *)extra)->freed++;
    return MPI_SUCCESS;
}

static int cancel(void *extra, int complete) {
    (void)extra;
    (void)complete;
    return MPI_SUCCESS;
}

static int poll(void *extra, MPI_Status *status) {
    struct work *work = extra;
    (void)status;
    if (++work->polls == work->needed) return MPI_Grequest_complete(work->request);
    return MPI_SUCCESS;
}

static int stuck(void *extra, MPI_Status *status) {
    (void)extra;
    (void)status;
    return MPI_ERR_OTHER;
}

static int wait_for(int count, void **states, double timeout, MPI_Status *status) {
    struct work *work = states[0];
    (void)timeout;
    (void)status;
    EQUAL("requests waited for", 1, count);
    if (++work->waits == work->needed) return MPI_Grequest_complete(work->request);
    return MPI_SUCCESS;
}

static void polled(void) {
    struct work work = {MPI_REQUEST_NULL, 0, 0, 5, 0}, other = {MPI_REQUEST_NULL, 0, 0, 3, 0};
    MPI_Request both[2];
    MPI_Status status;
    MPIX_Grequest_class class_;
    int flag = 0, tests = 0, count;
    STEP("waited for");
    MUST(MPIX_Grequest_start(query, release, cancel, poll, NULL, &work, &work.request));
    CHECK(!MPIX_Request_is_complete(work.request), "complete before it began");
    both[0] = work.request;
    MUST(MPI_Wait(&both[0], &status));
    EQUAL("polls", 5, work.polls);
    EQUAL("freed", 1, work.freed);
    EQUAL("tag", 17, status.MPI_TAG);
    MUST(MPI_Get_count(&status, MPI_INT, &count));
    EQUAL("count", 5, count);
    STEP("tested");
    work.polls = 0;
    MUST(MPIX_Grequest_class_create(query, release, cancel, poll, NULL, &class_));
    MUST(MPIX_Grequest_class_allocate(class_, &work, &work.request));
    both[0] = work.request;
    while (!flag && tests < 1000) {
        MUST(MPI_Test(&both[0], &flag, &status));
        tests++;
    }
    CHECK(flag, "not complete after %d tests", tests);
    EQUAL("freed", 2, work.freed);
    STEP("a class of another kind, and both kinds together");
    MUST(MPIX_Grequest_class_create(query, release, cancel, NULL, wait_for, &class_));
    work.polls = 0;
    MUST(MPIX_Grequest_start(query, release, cancel, poll, NULL, &work, &work.request));
    MUST(MPIX_Grequest_class_allocate(class_, &other, &other.request));
    both[0] = work.request, both[1] = other.request;
    MUST(MPI_Waitall(2, both, MPI_STATUSES_IGNORE));
    EQUAL("waits", 3, other.waits);
    EQUAL("freed", 3, work.freed);
    EQUAL("freed", 1, other.freed);
    STEP("a function that fails");
    MUST(MPIX_Grequest_start(query, release, cancel, stuck, NULL, &work, &work.request));
    both[0] = work.request;
    FAILS(MPI_ERR_OTHER, MPI_Wait(&both[0], &status));
    EQUAL("freed", 4, work.freed);
    FAILS(MPI_ERR_ARG, MPIX_Grequest_class_allocate((MPIX_Grequest_class)4711, &work, &both[0]));
}

static void small_things(void) {
    MPI_Request request;
    MPI_Info info;
    char value[20];
    int flag, word = 0;
    STEP("whether a request is complete");
    CHECK(MPIX_Request_is_complete(MPI_REQUEST_NULL), "no request is complete");
    MUST(MPI_Irecv(&word, 1, MPI_INT, test_rank, 3, MPI_COMM_WORLD, &request));
    CHECK(!MPIX_Request_is_complete(request), "complete before it was sent");
    MUST(MPI_Send(&word, 1, MPI_INT, test_rank, 3, MPI_COMM_WORLD));
    /* It moves nothing on by itself. */
    for (flag = 0; flag < 1000 && !MPIX_Request_is_complete(request); flag++) {
        int ignored;
        MUST(MPI_Iprobe(test_rank, 4, MPI_COMM_WORLD, &ignored, MPI_STATUS_IGNORE));
    }
    CHECK(MPIX_Request_is_complete(request), "not complete after it was sent");
    MUST(MPI_Wait(&request, MPI_STATUS_IGNORE));
    STEP("bytes as digits");
    MUST(MPI_Info_create(&info));
    MUST(MPIX_Info_set_hex(info, "bytes", "\x01\xfe\x7f", 3));
    MUST(MPI_Info_get(info, "bytes", 19, value, &flag));
    CHECK(flag && strcmp(value, "01fe7f") == 0, "the digits are \"%s\"", value);
    FAILS(MPI_ERR_ARG, MPIX_Info_set_hex(info, "bytes", "", -1));
    MUST(MPI_Info_free(&info));
    STEP("GPUs");
    flag = -1;
    MUST(MPIX_GPU_query_support(MPIX_GPU_SUPPORT_CUDA, &flag));
    CHECK(flag == 0 || flag == 1, "support for GPUs is %d", flag);
    FAILS(MPI_ERR_ARG, MPIX_GPU_query_support(99, &flag));
}
#endif

int main(int argc, char **argv) {
    test_start(&argc, &argv);
    errors_return();
#ifdef MPIX_GPU_SUPPORT_CUDA
    polled();
    small_things();
#endif
    return test_finish();
}
