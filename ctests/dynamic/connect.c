/* Two groups of one world meet at a port: accept, connect, roots other than 0, several times at one port, and
 * disconnect. Then what must fail: names that are none, ports that are closed, nobody who accepts in time. */
#include "common.h"

int main(int argc, char **argv) {
    MPI_Comm local, inter = MPI_COMM_NULL, merged;
    MPI_Info info;
    char port[MPI_MAX_PORT_NAME] = "", second[MPI_MAX_PORT_NAME] = "";
    int side, rank, size, times, root;
    test_start(&argc, &argv);
    if (test_size < 2) return test_finish();
    side = test_rank % 2;
    MUST(MPI_Comm_split(MPI_COMM_WORLD, side, test_rank, &local));
    MUST(MPI_Comm_rank(local, &rank));
    MUST(MPI_Comm_size(local, &size));
    STEP("open a port");
    root = size - 1;
    if (test_rank == 0) {
        MUST(MPI_Open_port(MPI_INFO_NULL, second));
        MUST(MPI_Close_port(second));
    }
    for (times = 0; times < 3; times++) {
        if (side == 0 && rank == root && times == 0) MUST(MPI_Open_port(MPI_INFO_NULL, port));
        MUST(MPI_Bcast(port, sizeof port, MPI_CHAR, ((test_size + 1) / 2 - 1) * 2, MPI_COMM_WORLD));
        STEP("accept and connect");
        if (side == 0)
            MUST(MPI_Comm_accept(port, MPI_INFO_NULL, root, local, &inter));
        else
            MUST(MPI_Comm_connect(port, MPI_INFO_NULL, 0, local, &inter));
        merged = try_joined(inter, side);
        STEP("disconnect");
        MUST(MPI_Comm_disconnect(&merged));
        EQUAL("the handle afterwards", 1, merged == MPI_COMM_NULL);
        MUST(MPI_Comm_disconnect(&inter));
    }
    if (side == 0 && rank == root) MUST(MPI_Close_port(port));
    MUST(MPI_Barrier(MPI_COMM_WORLD));

    STEP("what must fail");
    MUST(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
    MUST(MPI_Comm_set_errhandler(local, MPI_ERRORS_RETURN));
    MUST(MPI_Info_create(&info));
    MUST(MPI_Info_set(info, "timeout", "1"));
    if (side == 1) {
        FAILS(MPI_ERR_PORT, MPI_Comm_connect(port, info, 0, local, &inter));
        FAILS(MPI_ERR_PORT, MPI_Comm_connect("nonsense", info, 0, local, &inter));
        FAILS(MPI_ERR_ROOT, MPI_Comm_connect(port, info, size, local, &inter));
    } else {
        FAILS(MPI_ERR_PORT, MPI_Comm_accept(port, info, root, local, &inter));
        if (rank == root) {
            FAILS(MPI_ERR_PORT, MPI_Close_port(port));
            MUST(MPI_Open_port(MPI_INFO_NULL, port));
            FAILS(MPI_ERR_PORT, MPI_Comm_accept(port, info, 0, MPI_COMM_SELF, &inter));
            MUST(MPI_Close_port(port));
        }
    }
    MUST(MPI_Info_set(info, "timeout", "soon"));
    FAILS(MPI_ERR_INFO_VALUE, MPI_Comm_connect(port, info, 0, MPI_COMM_SELF, &inter));
    MUST(MPI_Info_free(&info));
    MUST(MPI_Comm_free(&local));
    return test_finish();
}
