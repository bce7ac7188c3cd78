/* The cost of a call that moves nothing: the door, the handle look-ups and the conversions. One rank
 * is enough; `empty_loop` is the loop's own cost. */
#include "bench.h"

static volatile int sink;

static void empty_loop(size_t bytes, int begin, int end) {
    int i;
    for (i = begin; i < end; i++) sink = (int)bytes;
}
static void comm_rank(size_t bytes, int begin, int end) {
    int i, r;
    (void)bytes;
    for (i = begin; i < end; i++) MPI_Comm_rank(MPI_COMM_WORLD, &r), sink = r;
}
static void wtime(size_t bytes, int begin, int end) {
    int i;
    (void)bytes;
    for (i = begin; i < end; i++) sink = (int)MPI_Wtime();
}
static void iprobe(size_t bytes, int begin, int end) {
    int i, flag;
    (void)bytes;
    for (i = begin; i < end; i++) MPI_Iprobe(0, 1, MPI_COMM_SELF, &flag, MPI_STATUS_IGNORE), sink = flag;
}
static void send_null(size_t bytes, int begin, int end) {
    int i;
    for (i = begin; i < end; i++) MPI_Send(NULL, (int)bytes, MPI_BYTE, MPI_PROC_NULL, 1, MPI_COMM_WORLD);
}
static void recv_null(size_t bytes, int begin, int end) {
    int i;
    for (i = begin; i < end; i++)
        MPI_Recv(NULL, (int)bytes, MPI_BYTE, MPI_PROC_NULL, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}
static void type_size(size_t bytes, int begin, int end) {
    int i, n;
    (void)bytes;
    for (i = begin; i < end; i++) MPI_Type_size(MPI_DOUBLE, &n), sink = n;
}
static void self_message(size_t bytes, int begin, int end) {
    char a[8] = "1234567", b[8];
    int i;
    MPI_Request request;
    for (i = begin; i < end; i++) {
        MPI_Isend(a, (int)bytes, MPI_BYTE, 0, 1, MPI_COMM_SELF, &request);
        MPI_Recv(b, (int)bytes, MPI_BYTE, 0, 1, MPI_COMM_SELF, MPI_STATUS_IGNORE);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
}

int main(int argc, char **argv) {
    bench_start(&argc, &argv);
    bench_measure("empty_loop", 0, 1.0, 0.1, empty_loop);
    bench_measure("comm_rank", 0, 1.0, 0.1, comm_rank);
    bench_measure("type_size", 0, 1.0, 0.1, type_size);
    bench_measure("wtime", 0, 1.0, 0.1, wtime);
    bench_measure("iprobe_self", 0, 1.0, 0.1, iprobe);
    bench_measure("send_proc_null", 0, 1.0, 0.1, send_null);
    bench_measure("recv_proc_null", 0, 1.0, 0.1, recv_null);
    bench_measure("self_message", 8, 1.0, 0.1, self_message);
    return bench_finish();
}
