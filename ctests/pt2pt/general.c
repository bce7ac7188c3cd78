/* Generalised requests: query, free and cancel callbacks, completion by the program, mixed with
 * ordinary requests in waitall. */
#include "../test.h"

static int queries, frees, cancels, cancel_seen;

static int query(void *extra, MPI_Status *status) {
    queries++;
    MPI_Status_set_elements(status, MPI_INT, *(int *)extra);
    MPI_Status_set_cancelled(status, 0);
    status->MPI_SOURCE = 77;
    status->MPI_TAG = 88;
    return MPI_SUCCESS;
}

static int free_(void *extra) {
    (void)extra;
    frees++;
    return MPI_SUCCESS;
}

static int cancel(void *extra, int complete) {
    (void)extra;
    cancels++;
    cancel_seen = complete;
    return MPI_SUCCESS;
}

int main(int argc, char **argv) {
    int extra = 5, flag, word = 0;
    MPI_Request request, list[2];
    MPI_Status status, statuses[2];
    test_start(&argc, &argv);
    STEP("complete and wait");
    MUST(MPI_Grequest_start(query, free_, cancel, &extra, &request));
    MUST(MPI_Test(&request, &flag, &status));
    EQUAL("not complete", 0, flag);
    MUST(MPI_Grequest_complete(request));
    MUST(MPI_Wait(&request, &status));
    CHECK_STATUS("status from the callback", &status, 77, 88, MPI_INT, 5);
    CHECK(request == MPI_REQUEST_NULL, "request left");
    EQUAL("queries", 1, queries);
    EQUAL("frees", 1, frees);
    STEP("cancel");
    MUST(MPI_Grequest_start(query, free_, cancel, &extra, &request));
    MUST(MPI_Cancel(&request));
    EQUAL("cancels", 1, cancels);
    EQUAL("was not complete", 0, !!cancel_seen);
    MUST(MPI_Grequest_complete(request));
    MUST(MPI_Wait(&request, MPI_STATUS_IGNORE));
    EQUAL("frees", 2, frees);
    STEP("with an ordinary one");
    MUST(MPI_Grequest_start(query, free_, cancel, &extra, &list[0]));
    MUST(MPI_Irecv(&word, 1, MPI_INT, test_rank, 3, MPI_COMM_WORLD, &list[1]));
    MUST(MPI_Grequest_complete(list[0]));
    MUST(MPI_Send(&extra, 1, MPI_INT, test_rank, 3, MPI_COMM_WORLD));
    MUST(MPI_Waitall(2, list, statuses));
    CHECK_STATUS("general", &statuses[0], 77, 88, MPI_INT, 5);
    CHECK_STATUS("ordinary", &statuses[1], test_rank, 3, MPI_INT, 1);
    EQUAL("word", 5, word);
    EQUAL("frees", 3, frees);
    STEP("freed before it completes");
    MUST(MPI_Grequest_start(query, free_, cancel, &extra, &request));
    list[0] = request;
    MUST(MPI_Request_free(&list[0]));
    EQUAL("not yet", 3, frees);
    MUST(MPI_Grequest_complete(request));
    EQUAL("now", 4, frees);
    return test_finish();
}
