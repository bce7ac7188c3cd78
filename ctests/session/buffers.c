/* Buffers attached to a session: used by its communicators that have none of their own, and by no others.
 * Where the header is older there is nothing to test. */
#include "../test.h"
#include "session.h"

#if MPI_VERSION >= 5
#define WORDS 1000

/* Buffered messages around the ring. */
static int ring(MPI_Comm comm, int words) {
    static int out[WORDS], in[WORDS];
    int right = (test_rank + 1) % test_size, left = (test_rank + test_size - 1) % test_size, code;
    code = MPI_Bsend(out, words, MPI_INT, right, 1, comm);
    if (code == MPI_SUCCESS) MUST(MPI_Recv(in, words, MPI_INT, left, 1, comm, MPI_STATUS_IGNORE));
    return code;
}
#endif

int main(void) {
    MPI_Session session = MPI_SESSION_NULL, other = MPI_SESSION_NULL;
    MPI_Comm comm, foreign;
    test_watchdog(60);
    setvbuf(stdout, NULL, _IOLBF, 4096);
    MUST(MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session));
    MUST(MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &other));
    comm = session_comm(session, "mpi://WORLD", "buffers");
    foreign = session_comm(other, "mpi://WORLD", "foreign");
    MPI_Comm_rank(comm, &test_rank);
    MPI_Comm_size(comm, &test_size);
#if MPI_VERSION >= 5
    {
        static char buffer[WORDS * sizeof(int) + MPI_BSEND_OVERHEAD], small[16 * sizeof(int) + MPI_BSEND_OVERHEAD];
        MPI_Comm copy, half;
        MPI_Request request;
        void *address = NULL;
        int size = -1;
        STEP("a session's buffer");
        FAILS(MPI_ERR_BUFFER, MPI_Session_detach_buffer(session, &address, &size));
        FAILS(MPI_ERR_BUFFER, ring(comm, 1));
        MUST(MPI_Session_attach_buffer(session, buffer, (int)sizeof buffer));
        FAILS(MPI_ERR_BUFFER, MPI_Session_attach_buffer(session, small, (int)sizeof small));
        MUST(ring(comm, WORDS));
        MUST(MPI_Session_flush_buffer(session));
        MUST(ring(comm, WORDS));
        MUST(MPI_Session_iflush_buffer(session, &request));
        MUST(MPI_Wait(&request, MPI_STATUS_IGNORE));
        STEP("communicators derived from it");
        MUST(MPI_Comm_dup(comm, &copy));
        MUST(ring(copy, WORDS));
        MUST(MPI_Session_flush_buffer(session));
        MUST(MPI_Comm_split(comm, 0, -test_rank, &half));
        {
            int rank = test_rank;
            MPI_Comm_rank(half, &test_rank);
            MUST(ring(half, WORDS));
            test_rank = rank;
        }
        STEP("one of another session");
        FAILS(MPI_ERR_BUFFER, ring(foreign, 1));
        STEP("a communicator's own buffer comes first");
        MUST(MPI_Session_flush_buffer(session));
        MUST(MPI_Comm_attach_buffer(copy, small, (int)sizeof small));
        FAILS(MPI_ERR_BUFFER, ring(copy, WORDS));
        MUST(ring(copy, 16));
        MUST(MPI_Comm_detach_buffer(copy, &address, &size));
        CHECK(address == small && size == (int)sizeof small, "another buffer came back");
        MUST(MPI_Comm_free(&copy));
        MUST(MPI_Comm_free(&half));
        MUST(MPI_Session_detach_buffer(session, &address, &size));
        CHECK(address == buffer && size == (int)sizeof buffer, "another buffer came back");
        FAILS(MPI_ERR_BUFFER, ring(comm, 1));
        STEP("an automatic buffer, left to the end of the session");
        MUST(MPI_Session_attach_buffer(session, MPI_BUFFER_AUTOMATIC, 0));
        MUST(ring(comm, WORDS));
    }
#endif
    MUST(MPI_Comm_free(&comm));
    MUST(MPI_Comm_free(&foreign));
    MUST(MPI_Session_finalize(&session));
    MUST(MPI_Session_finalize(&other));
    return session_verdict();
}
