/* What TCP between two hosts can do at best, measured without MPI: who waits spins, and nothing but the data travels.
 *   tcp_limits server ADDRESS PORT
 *   tcp_limits client ADDRESS PORT
 * The client prints, as benchmarks do, operation, bytes, ranks and microseconds: of one way of 8 bytes, and of 4 MiB in a
 * stream of many. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { SHORT = 8, LONG = 4 << 20, WAYS = 20000, STREAM = 128 };

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static void fail(const char *what) {
    perror(what);
    exit(1);
}

static void get(int fd, char *bytes, size_t count, int flags) {
    size_t there = 0;
    while (there < count) {
        ssize_t come = recv(fd, bytes + there, count - there, flags);
        if (come == 0) exit(1);
        if (come > 0) there += (size_t)come;
    }
}

static void put(int fd, const char *bytes, size_t count) {
    size_t gone = 0;
    while (gone < count) {
        ssize_t sent = send(fd, bytes + gone, count - gone, MSG_NOSIGNAL);
        if (sent < 0) fail("send");
        gone += (size_t)sent;
    }
}

int main(int argc, char **argv) {
    struct sockaddr_in address;
    int server, fd, one = 1, i, tries;
    char *bytes = calloc(1, LONG);
    double start;
    if (argc != 4 || !bytes) return 2;
    alarm(60);
    server = strcmp(argv[1], "server") == 0;
    memset(&address, 0, sizeof address);
    address.sin_family = AF_INET;
    address.sin_port = htons((unsigned short)atoi(argv[3]));
    if (inet_pton(AF_INET, argv[2], &address.sin_addr) != 1) return 2;
    fd = socket(AF_INET, SOCK_STREAM, 0);
    if (server) {
        int listener = fd;
        setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
        if (bind(listener, (struct sockaddr *)&address, sizeof address) != 0) fail("bind");
        if (listen(listener, 1) != 0) fail("listen");
        fd = accept(listener, NULL, NULL);
        if (fd < 0) fail("accept");
    } else {
        for (tries = 0; connect(fd, (struct sockaddr *)&address, sizeof address) != 0; tries++) {
            if (tries == 500) fail("connect");
            close(fd);
            usleep(10000);
            fd = socket(AF_INET, SOCK_STREAM, 0);
        }
    }
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    start = now();
    for (i = 0; i < WAYS; i++) {
        if (!server) put(fd, bytes, SHORT);
        get(fd, bytes, SHORT, MSG_DONTWAIT);
        if (server) put(fd, bytes, SHORT);
    }
    if (!server) printf("latency %d 2 %.4f\n", SHORT, (now() - start) / WAYS / 2 * 1e6);
    start = now();
    for (i = 0; i < STREAM; i++) {
        if (server)
            get(fd, bytes, LONG, 0);
        else
            put(fd, bytes, LONG);
    }
    if (server)
        put(fd, bytes, 1);
    else
        get(fd, bytes, 1, 0);
    if (!server) printf("bandwidth %d 2 %.4f\n", LONG, (now() - start) / STREAM * 1e6);
    return 0;
}
