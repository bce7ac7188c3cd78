/* Mistakes with partitioned requests: each is refused with its class and leaves the request usable. Where
 * the header knows no partitions there is nothing to test. */
#include "../test.h"

#if MPI_VERSION >= 4 || (defined OMPI_MAJOR_VERSION && OMPI_MAJOR_VERSION >= 5)

static MPI_Request request[2];

static int init(int parts, int count, MPI_Datatype type, int peer, int tag, MPI_Comm comm, void *buf) {
    MPI_Request none;
    int send = MPI_Psend_init(buf, parts, count, type, peer, tag, comm, MPI_INFO_NULL, &none);
    int receive = MPI_Precv_init(buf, parts, count, type, peer, tag, comm, MPI_INFO_NULL, &none), a = 0, b = 0;
    MPI_Error_class(send, &a);
    MPI_Error_class(receive, &b);
    EQUAL("class of MPI_Precv_init and MPI_Psend_init", a, b);
    return send;
}

static void text(const char *part, int code) {
    char got[MPI_MAX_ERROR_STRING + 1] = "";
    int length;
    MPI_Error_string(code, got, &length);
    CHECK(length > 0, "no text for %s", part);
}

int main(int argc, char **argv) {
    int word[4] = {1, 2, 3, 4}, got[4] = {0, 0, 0, 0}, list[3] = {0, 9, 1}, flag;
    MPI_Request plain;
    MPI_Status status;
    test_start(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);

    STEP("initialisation");
    FAILS(MPI_ERR_ARG, init(-1, 1, MPI_INT, 0, 0, MPI_COMM_SELF, word));
    FAILS(MPI_ERR_COUNT, init(1, -1, MPI_INT, 0, 0, MPI_COMM_SELF, word));
    FAILS(MPI_ERR_TYPE, init(1, 1, MPI_DATATYPE_NULL, 0, 0, MPI_COMM_SELF, word));
    FAILS(MPI_ERR_RANK, init(1, 1, MPI_INT, 1, 0, MPI_COMM_SELF, word));
    FAILS(MPI_ERR_RANK, init(1, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_SELF, word));
    FAILS(MPI_ERR_TAG, init(1, 1, MPI_INT, 0, MPI_ANY_TAG, MPI_COMM_SELF, word));
    FAILS(MPI_ERR_COMM, init(1, 1, MPI_INT, 0, 0, MPI_COMM_NULL, word));
    FAILS(MPI_ERR_BUFFER, init(1, 1, MPI_INT, 0, 0, MPI_COMM_SELF, NULL));

    MUST(MPI_Psend_init(word, 4, 1, MPI_INT, 0, 0, MPI_COMM_SELF, MPI_INFO_NULL, &request[0]));
    MUST(MPI_Precv_init(got, 2, 2, MPI_INT, 0, 0, MPI_COMM_SELF, MPI_INFO_NULL, &request[1]));

    STEP("not active");
    FAILS(MPI_ERR_REQUEST, MPI_Pready(0, request[0]));
    FAILS(MPI_ERR_REQUEST, MPI_Cancel(&request[0]));
    MUST(MPI_Wait(&request[0], &status));
    MUST(MPI_Parrived(request[1], 0, &flag));
    EQUAL("arrived of an inactive request", 1, flag);

    STEP("active");
    MUST(MPI_Startall(2, request));
    FAILS(MPI_ERR_REQUEST, MPI_Start(&request[0]));
    FAILS(MPI_ERR_ARG, MPI_Pready(-1, request[0]));
    FAILS(MPI_ERR_ARG, MPI_Pready(4, request[0]));
    FAILS(MPI_ERR_ARG, MPI_Pready_range(2, 1, request[0]));
    FAILS(MPI_ERR_ARG, MPI_Pready_range(2, 4, request[0]));
    FAILS(MPI_ERR_COUNT, MPI_Pready_list(-1, list, request[0]));
    FAILS(MPI_ERR_ARG, MPI_Pready_list(3, list, request[0]));
    /* The list's first partition was fine. */
    FAILS(MPI_ERR_ARG, MPI_Pready(0, request[0]));
    FAILS(MPI_ERR_ARG, MPI_Pready_range(0, 1, request[0]));
    FAILS(MPI_ERR_REQUEST, MPI_Pready(0, request[1]));
    FAILS(MPI_ERR_REQUEST, MPI_Parrived(request[0], 0, &flag));
    FAILS(MPI_ERR_ARG, MPI_Parrived(request[1], 2, &flag));
    FAILS(MPI_ERR_ARG, MPI_Parrived(request[1], -1, &flag));
    FAILS(MPI_ERR_REQUEST, MPI_Cancel(&request[0]));
    FAILS(MPI_ERR_REQUEST, MPI_Cancel(&request[1]));
    FAILS(MPI_ERR_REQUEST, MPI_Request_free(&request[0]));
    FAILS(MPI_ERR_REQUEST, MPI_Pready(0, MPI_REQUEST_NULL));
    text("MPI_Pready", MPI_Pready(7, request[0]));

    STEP("other requests");
    MUST(MPI_Irecv(got, 0, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_SELF, &plain));
    FAILS(MPI_ERR_REQUEST, MPI_Pready(0, plain));
    FAILS(MPI_ERR_REQUEST, MPI_Parrived(plain, 0, &flag));
    FAILS(MPI_ERR_REQUEST, MPI_Start(&plain));
    MUST(MPI_Wait(&plain, MPI_STATUS_IGNORE));

    STEP("still usable");
    MUST(MPI_Pready_range(1, 3, request[0]));
    MUST(MPI_Waitall(2, request, MPI_STATUSES_IGNORE));
    EQUAL("last word", 4, got[3]);
    MUST(MPI_Request_free(&request[0]));
    MUST(MPI_Request_free(&request[1]));

    STEP("a message that is too long");
    MUST(MPI_Psend_init(word, 4, 1, MPI_INT, 0, 1, MPI_COMM_SELF, MPI_INFO_NULL, &request[0]));
    MUST(MPI_Precv_init(got, 1, 3, MPI_INT, 0, 1, MPI_COMM_SELF, MPI_INFO_NULL, &request[1]));
    got[3] = 77;
    MUST(MPI_Startall(2, request));
    MUST(MPI_Pready_range(0, 3, request[0]));
    MUST(MPI_Wait(&request[0], MPI_STATUS_IGNORE));
    FAILS(MPI_ERR_TRUNCATE, MPI_Wait(&request[1], &status));
    EQUAL("word behind the buffer", 77, got[3]);
    MUST(MPI_Request_free(&request[0]));
    MUST(MPI_Request_free(&request[1]));
    return test_finish();
}

#else

int main(int argc, char **argv) {
    test_start(&argc, &argv);
    return test_finish();
}

#endif
