/* Two processes that have a socket join (MPI-5.0, 11.10.5): over a connection of TCP and over a pair of Unix sockets'
 * ends; the socket is as it was afterwards. What is no connected socket is an error. */
#include "common.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <sys/socket.h>

static int connected(int side) {
    struct sockaddr_in address;
    socklen_t length = sizeof address;
    int listener, fd, port = 0;
    memset(&address, 0, sizeof address);
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (side == 0) {
        listener = socket(AF_INET, SOCK_STREAM, 0);
        EQUAL("bind", 0, bind(listener, (struct sockaddr *)&address, sizeof address));
        EQUAL("listen", 0, listen(listener, 1));
        getsockname(listener, (struct sockaddr *)&address, &length);
        port = address.sin_port;
        MUST(MPI_Send(&port, 1, MPI_INT, 1, 0, MPI_COMM_WORLD));
        fd = accept(listener, NULL, NULL);
        close(listener);
    } else {
        MUST(MPI_Recv(&port, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        fd = socket(AF_INET, SOCK_STREAM, 0);
        address.sin_port = (unsigned short)port;
        EQUAL("connect", 0, connect(fd, (struct sockaddr *)&address, sizeof address));
    }
    return fd;
}

int main(int argc, char **argv) {
    MPI_Comm inter = MPI_COMM_NULL, merged;
    int fd, times, remote;
    char byte = 0;
    test_start(&argc, &argv);
    if (test_size < 2) return test_finish();
    if (test_rank < 2) {
        for (times = 0; times < 3; times++) {
            STEP("join");
            fd = connected(test_rank);
            if (times == 1) fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
            MUST(MPI_Comm_join(fd, &inter));
            EQUAL("still as it was", times == 1, !!(fcntl(fd, F_GETFL) & O_NONBLOCK));
            fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) & ~O_NONBLOCK);
            MUST(MPI_Comm_remote_size(inter, &remote));
            EQUAL("one process on the other side", 1, remote);
            merged = try_joined(inter, test_rank);
            MUST(MPI_Comm_disconnect(&merged));
            MUST(MPI_Comm_disconnect(&inter));
            STEP("the socket afterwards");
            byte = (char)('a' + test_rank);
            EQUAL("a byte leaves", 1, (int)write(fd, &byte, 1));
            EQUAL("a byte comes", 1, (int)read(fd, &byte, 1));
            EQUAL("it is the other's", 'a' + 1 - test_rank, byte);
            close(fd);
        }
        STEP("no socket");
        MUST(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
        MUST(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
        FAILS(MPI_ERR_ARG, MPI_Comm_join(-1, &inter));
    }
    return test_finish();
}
