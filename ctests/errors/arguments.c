/* Bad arguments of point-to-point calls: ranks, tags, counts, types, buffers and pointers, each with
 * the class that MPI names, in every call that takes them. Nothing is sent, so one rank is enough. */
#include "../test.h"
#include "quiet.h"

static int word, flag, index_;
static MPI_Status status;
static MPI_Request request;
static MPI_Message message;

static void ranks(int rank) {
    MPI_Comm w = MPI_COMM_WORLD;
    FAILS(MPI_ERR_RANK, MPI_Send(&word, 1, MPI_INT, rank, 0, w));
    FAILS(MPI_ERR_RANK, MPI_Ssend(&word, 1, MPI_INT, rank, 0, w));
    FAILS(MPI_ERR_RANK, MPI_Rsend(&word, 1, MPI_INT, rank, 0, w));
    FAILS(MPI_ERR_RANK, MPI_Bsend(&word, 1, MPI_INT, rank, 0, w));
    FAILS(MPI_ERR_RANK, MPI_Isend(&word, 1, MPI_INT, rank, 0, w, &request));
    FAILS(MPI_ERR_RANK, MPI_Issend(&word, 1, MPI_INT, rank, 0, w, &request));
    FAILS(MPI_ERR_RANK, MPI_Irsend(&word, 1, MPI_INT, rank, 0, w, &request));
    FAILS(MPI_ERR_RANK, MPI_Ibsend(&word, 1, MPI_INT, rank, 0, w, &request));
    FAILS(MPI_ERR_RANK, MPI_Send_init(&word, 1, MPI_INT, rank, 0, w, &request));
    FAILS(MPI_ERR_RANK, MPI_Sendrecv(&word, 1, MPI_INT, rank, 0, &word, 1, MPI_INT, MPI_PROC_NULL, 0, w, &status));
    FAILS(MPI_ERR_RANK, MPI_Sendrecv_replace(&word, 1, MPI_INT, rank, 0, MPI_PROC_NULL, 0, w, &status));
    if (rank == MPI_ANY_SOURCE) return;
    FAILS(MPI_ERR_RANK, MPI_Recv(&word, 1, MPI_INT, rank, 0, w, &status));
    FAILS(MPI_ERR_RANK, MPI_Irecv(&word, 1, MPI_INT, rank, 0, w, &request));
    FAILS(MPI_ERR_RANK, MPI_Recv_init(&word, 1, MPI_INT, rank, 0, w, &request));
    FAILS(MPI_ERR_RANK, MPI_Sendrecv(&word, 1, MPI_INT, MPI_PROC_NULL, 0, &word, 1, MPI_INT, rank, 0, w, &status));
    FAILS(MPI_ERR_RANK, MPI_Probe(rank, 0, w, &status));
    FAILS(MPI_ERR_RANK, MPI_Iprobe(rank, 0, w, &flag, &status));
    FAILS(MPI_ERR_RANK, MPI_Mprobe(rank, 0, w, &message, &status));
    FAILS(MPI_ERR_RANK, MPI_Improbe(rank, 0, w, &flag, &message, &status));
}

static void tags(int tag) {
    MPI_Comm w = MPI_COMM_WORLD;
    FAILS(MPI_ERR_TAG, MPI_Send(&word, 1, MPI_INT, 0, tag, w));
    FAILS(MPI_ERR_TAG, MPI_Ssend(&word, 1, MPI_INT, 0, tag, w));
    FAILS(MPI_ERR_TAG, MPI_Rsend(&word, 1, MPI_INT, 0, tag, w));
    FAILS(MPI_ERR_TAG, MPI_Bsend(&word, 1, MPI_INT, 0, tag, w));
    FAILS(MPI_ERR_TAG, MPI_Isend(&word, 1, MPI_INT, 0, tag, w, &request));
    FAILS(MPI_ERR_TAG, MPI_Issend(&word, 1, MPI_INT, 0, tag, w, &request));
    FAILS(MPI_ERR_TAG, MPI_Ssend_init(&word, 1, MPI_INT, 0, tag, w, &request));
    FAILS(MPI_ERR_TAG, MPI_Sendrecv(&word, 1, MPI_INT, 0, tag, &word, 1, MPI_INT, 0, 0, w, &status));
    if (tag == MPI_ANY_TAG) return;
    FAILS(MPI_ERR_TAG, MPI_Recv(&word, 1, MPI_INT, 0, tag, w, &status));
    FAILS(MPI_ERR_TAG, MPI_Irecv(&word, 1, MPI_INT, 0, tag, w, &request));
    FAILS(MPI_ERR_TAG, MPI_Recv_init(&word, 1, MPI_INT, 0, tag, w, &request));
    FAILS(MPI_ERR_TAG, MPI_Probe(0, tag, w, &status));
    FAILS(MPI_ERR_TAG, MPI_Iprobe(0, tag, w, &flag, &status));
    FAILS(MPI_ERR_TAG, MPI_Mprobe(0, tag, w, &message, &status));
}

static void counts(int count) {
    MPI_Comm w = MPI_COMM_WORLD;
    FAILS(MPI_ERR_COUNT, MPI_Send(&word, count, MPI_INT, 0, 0, w));
    FAILS(MPI_ERR_COUNT, MPI_Ssend(&word, count, MPI_INT, 0, 0, w));
    FAILS(MPI_ERR_COUNT, MPI_Bsend(&word, count, MPI_INT, 0, 0, w));
    FAILS(MPI_ERR_COUNT, MPI_Rsend(&word, count, MPI_INT, 0, 0, w));
    FAILS(MPI_ERR_COUNT, MPI_Isend(&word, count, MPI_INT, 0, 0, w, &request));
    FAILS(MPI_ERR_COUNT, MPI_Recv(&word, count, MPI_INT, 0, 0, w, &status));
    FAILS(MPI_ERR_COUNT, MPI_Irecv(&word, count, MPI_INT, 0, 0, w, &request));
    FAILS(MPI_ERR_COUNT, MPI_Recv_init(&word, count, MPI_INT, 0, 0, w, &request));
    FAILS(MPI_ERR_COUNT, MPI_Send_init(&word, count, MPI_INT, 0, 0, w, &request));
    FAILS(MPI_ERR_COUNT, MPI_Sendrecv_replace(&word, count, MPI_INT, 0, 0, 0, 0, w, &status));
    FAILS_EITHER(MPI_ERR_COUNT, MPI_ERR_ARG, MPI_Waitall(count, &request, MPI_STATUSES_IGNORE));
    FAILS_EITHER(MPI_ERR_COUNT, MPI_ERR_ARG, MPI_Waitany(count, &request, &index_, &status));
    FAILS_EITHER(MPI_ERR_COUNT, MPI_ERR_ARG, MPI_Testall(count, &request, &flag, MPI_STATUSES_IGNORE));
    FAILS_EITHER(MPI_ERR_COUNT, MPI_ERR_ARG, MPI_Startall(count, &request));
}

static void types(MPI_Datatype type) {
    MPI_Comm w = MPI_COMM_WORLD;
    FAILS(MPI_ERR_TYPE, MPI_Send(&word, 1, type, 0, 0, w));
    FAILS(MPI_ERR_TYPE, MPI_Isend(&word, 1, type, 0, 0, w, &request));
    FAILS(MPI_ERR_TYPE, MPI_Recv(&word, 1, type, 0, 0, w, &status));
    FAILS(MPI_ERR_TYPE, MPI_Irecv(&word, 1, type, 0, 0, w, &request));
    FAILS(MPI_ERR_TYPE, MPI_Send_init(&word, 1, type, 0, 0, w, &request));
    FAILS(MPI_ERR_TYPE, MPI_Sendrecv(&word, 1, MPI_INT, 0, 0, &word, 1, type, 0, 0, w, &status));
}

static void null_pointers(void) {
    MPI_Comm w = MPI_COMM_WORLD;
    STEP("null pointers");
    FAILS(MPI_ERR_BUFFER, MPI_Send(NULL, 3, MPI_INT, 0, 0, w));
    FAILS(MPI_ERR_BUFFER, MPI_Recv(NULL, 3, MPI_INT, 0, 0, w, &status));
    FAILS(MPI_ERR_BUFFER, MPI_Isend(NULL, 3, MPI_INT, 0, 0, w, &request));
    FAILS(MPI_ERR_ARG, MPI_Comm_rank(w, NULL));
    FAILS(MPI_ERR_ARG, MPI_Comm_size(w, NULL));
    FAILS(MPI_ERR_ARG, MPI_Comm_dup(w, NULL));
    FAILS_EITHER(MPI_ERR_ARG, MPI_ERR_REQUEST, MPI_Isend(&word, 1, MPI_INT, 0, 0, w, NULL));
    FAILS_EITHER(MPI_ERR_ARG, MPI_ERR_REQUEST, MPI_Irecv(&word, 1, MPI_INT, 0, 0, w, NULL));
    FAILS_EITHER(MPI_ERR_ARG, MPI_ERR_REQUEST, MPI_Wait(NULL, &status));
    FAILS_EITHER(MPI_ERR_ARG, MPI_ERR_REQUEST, MPI_Waitall(2, NULL, MPI_STATUSES_IGNORE));
    FAILS_EITHER(MPI_ERR_ARG, MPI_ERR_REQUEST, MPI_Test(NULL, &flag, &status));
    request = MPI_REQUEST_NULL;
    FAILS(MPI_ERR_ARG, MPI_Test(&request, NULL, &status));
    FAILS(MPI_ERR_ARG, MPI_Iprobe(0, 0, w, NULL, &status));
    FAILS(MPI_ERR_ARG, MPI_Type_size(MPI_INT, NULL));
    FAILS(MPI_ERR_ARG, MPI_Type_contiguous(1, MPI_INT, NULL));
    FAILS(MPI_ERR_ARG, MPI_Get_count(&status, MPI_INT, NULL));
    FAILS(MPI_ERR_ARG, MPI_Comm_group(w, NULL));
    FAILS(MPI_ERR_ARG, MPI_Get_processor_name(NULL, &word));
    FAILS(MPI_ERR_ARG, MPI_Initialized(NULL));
    FAILS(MPI_ERR_ARG, MPI_Get_address(&word, NULL));
    FAILS_EITHER(MPI_ERR_ARG, MPI_ERR_INFO, MPI_Info_create(NULL));
    FAILS(MPI_ERR_ARG, MPI_Group_incl(MPI_GROUP_EMPTY, 2, NULL, NULL));
}

int main(int argc, char **argv) {
    MPI_Datatype raw;
    int *tag_ub;
    test_start(&argc, &argv);
    errors_return();
    STEP("ranks");
    ranks(test_size);
    ranks(test_size + 100000);
    ranks(-50);
    ranks(MPI_ANY_SOURCE);
    STEP("tags");
    tags(-50);
    tags(MPI_ANY_TAG);
    MUST(MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &tag_ub, &flag));
    if (flag && *tag_ub < 2147483647) tags(*tag_ub + 1);
    STEP("counts");
    counts(-1);
    counts(-2147483647 - 1);
    STEP("uncommitted type");
    MUST(MPI_Type_contiguous(2, MPI_INT, &raw));
    types(raw);
    MUST(MPI_Type_free(&raw));
    types(MPI_DATATYPE_NULL);
    null_pointers();

    STEP("requests in a wrong state");
    request = MPI_REQUEST_NULL;
    FAILS(MPI_ERR_REQUEST, MPI_Start(&request));
    FAILS(MPI_ERR_REQUEST, MPI_Cancel(&request));
    FAILS(MPI_ERR_REQUEST, MPI_Request_free(&request));
    MUST(MPI_Irecv(&word, 1, MPI_INT, 0, 5, MPI_COMM_SELF, &request));
    FAILS(MPI_ERR_REQUEST, MPI_Start(&request));
    MUST(MPI_Cancel(&request));
    MUST(MPI_Wait(&request, MPI_STATUS_IGNORE));
    MUST(MPI_Recv_init(&word, 1, MPI_INT, 0, 5, MPI_COMM_SELF, &request));
    MUST(MPI_Start(&request));
    FAILS(MPI_ERR_REQUEST, MPI_Start(&request));
    MUST(MPI_Cancel(&request));
    MUST(MPI_Wait(&request, MPI_STATUS_IGNORE));
    MUST(MPI_Request_free(&request));
    message = MPI_MESSAGE_NULL;
    FAILS(MPI_ERR_REQUEST, MPI_Mrecv(&word, 1, MPI_INT, &message, &status));

    STEP("the library still works");
    MUST(MPI_Sendrecv(&test_rank, 1, MPI_INT, (test_rank + 1) % test_size, 0, &word, 1, MPI_INT,
                      (test_rank + test_size - 1) % test_size, 0, MPI_COMM_WORLD, &status));
    EQUAL("received", (test_rank + test_size - 1) % test_size, word);
    return test_finish();
}
