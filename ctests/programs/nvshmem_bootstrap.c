/* Loads a prebuilt NVSHMEM bootstrap plug-in, as NVSHMEM's own loader does, and checks its three
 * collectives. Needs no GPU and no MPI header: the plug-in brings in the MPI library itself, or asks the launcher by PMI.
 * The plug-ins for PMI take an allgather in place for one of each rank's first bytes, whoever serves them, so that is for
 * the one for MPI only. Arguments: the plug-in, the expected number of ranks. Rank 0 prints one line per check. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <non_abi/nvshmem_version.h>

/* The plug-in interface, version 3. */
struct handle {
    int version, rank, size, node_rank, node_size;
    int (*allgather)(const void *from, void *to, int bytes, struct handle *);
    int (*alltoall)(const void *from, void *to, int bytes, struct handle *);
    int (*barrier)(struct handle *);
    void (*global_exit)(int status);
    int (*finalize)(struct handle *);
    int (*show_info)(struct handle *, int style);
    void *pre_init_ops;
    void *state;
};

typedef int init_function(void *communicator, struct handle *, int version);

enum { VERSION = NVSHMEM_BOOTSTRAP_PLUGIN_MAJOR_VERSION * 10000 + NVSHMEM_BOOTSTRAP_PLUGIN_MINOR_VERSION * 100 +
                 NVSHMEM_BOOTSTRAP_PLUGIN_PATCH_VERSION };

static void fail(const char *what, const char *why) {
    fprintf(stderr, "%s: %s\n", what, why);
    exit(1);
}

/* Every rank says what it saw; rank 0 prints. */
static void check(struct handle *h, const char *name, int good) {
    int *all = calloc((size_t)h->size, sizeof *all);
    int bad = !good;
    if (!all || h->allgather(&bad, all, sizeof bad, h)) fail(name, "cannot gather the verdicts");
    for (int i = 0; i < h->size; i++) bad |= all[i];
    if (h->rank == 0) printf("%s %s\n", bad ? "WRONG" : "ok", name);
    free(all);
}

static unsigned char byte_of(int from, int to, int index) { return (unsigned char)(from * 31 + to * 7 + index); }

static void collectives(struct handle *h, int bytes, int in_place) {
    size_t n = (size_t)bytes, all = n * (size_t)h->size;
    unsigned char *mine = malloc(all), *got = malloc(all);
    char name[64];
    int good = 1;
    if (!mine || !got) fail("malloc", "no memory");
    for (int i = 0; i < bytes; i++) mine[i] = byte_of(h->rank, 0, i);
    memset(got, 0, all);
    good &= h->allgather(mine, got, bytes, h) == 0;
    for (int r = 0; r < h->size; r++)
        for (int i = 0; i < bytes; i++) good &= got[(size_t)r * n + (size_t)i] == byte_of(r, 0, i);
    snprintf(name, sizeof name, "allgather of %d bytes", bytes);
    check(h, name, good);

    if (in_place) {
        good = 1;
        memset(got, 0, all);
        memcpy(got + (size_t)h->rank * n, mine, n);
        good &= h->allgather(got, got, bytes, h) == 0;
        for (int r = 0; r < h->size; r++)
            for (int i = 0; i < bytes; i++) good &= got[(size_t)r * n + (size_t)i] == byte_of(r, 0, i);
        snprintf(name, sizeof name, "allgather in place of %d bytes", bytes);
        check(h, name, good);
    }

    good = 1;
    for (int r = 0; r < h->size; r++)
        for (int i = 0; i < bytes; i++) mine[(size_t)r * n + (size_t)i] = byte_of(h->rank, r, i);
    memset(got, 0, all);
    good &= h->alltoall(mine, got, bytes, h) == 0;
    for (int r = 0; r < h->size; r++)
        for (int i = 0; i < bytes; i++) good &= got[(size_t)r * n + (size_t)i] == byte_of(r, h->rank, i);
    snprintf(name, sizeof name, "alltoall of %d bytes", bytes);
    check(h, name, good);

    free(mine);
    free(got);
}

int main(int argc, char **argv) {
    struct handle h;
    void *plugin;
    init_function *init;
    if (argc != 3) fail(argv[0], "wants the plug-in and the number of ranks");
    alarm(60);
    plugin = dlopen(argv[1], RTLD_NOW);
    if (!plugin) fail("dlopen", dlerror());
    *(void **)&init = dlsym(plugin, "nvshmemi_bootstrap_plugin_init");
    if (!init) fail("dlsym", dlerror());
    memset(&h, 0, sizeof h);
    if (init(NULL, &h, VERSION)) fail("nvshmemi_bootstrap_plugin_init", "returned an error");
    check(&h, "number of ranks", h.size == atoi(argv[2]));
    int in_place = strstr(argv[1], "bootstrap_mpi") != NULL;
    collectives(&h, 8, in_place);
    collectives(&h, 100000, in_place);
    check(&h, "barrier", h.barrier(&h) == 0);
    if (h.finalize(&h)) fail("finalize", "returned an error");
    return 0;
}
