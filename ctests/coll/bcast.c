/* MPI_Bcast from every root, at sizes around the algorithms' switches, with derived types and with
 * types that differ between root and receivers. */
#include "../test.h"
#include "comms.h"

static void body(MPI_Comm comm) {
    static const size_t sizes[] = {0, 1, 8, 100, 4096, 12289, 65537, 600001};
    unsigned char *buffer = test_alloc(600002);
    int i, root;
    for (i = 0; i < (int)(sizeof sizes / sizeof sizes[0]); i++)
        for (root = 0; root < size; root++) {
            memset(buffer, 0xCC, sizes[i] + 1);
            if (rank == root) test_fill(buffer, sizes[i], (unsigned)(root + i));
            MUST(MPI_Bcast(buffer, (int)sizes[i], MPI_BYTE, root, comm));
            CHECK_FILL("bcast", buffer, sizes[i], (unsigned)(root + i));
            EQUAL("byte after", 0xCC, buffer[sizes[i]]);
        }
    free(buffer);
}

/* The root sends a strided vector, the others receive it as plain ints, and the other way round. */
static void derived(MPI_Comm comm) {
    enum { N = 3000 };
    int *wide = test_alloc(2 * N * sizeof(int)), *flat = test_alloc(N * sizeof(int)), i, root;
    MPI_Datatype vector;
    MUST(MPI_Type_vector(N, 1, 2, MPI_INT, &vector));
    MUST(MPI_Type_commit(&vector));
    for (root = 0; root < size; root++) {
        for (i = 0; i < 2 * N; i++) wide[i] = rank == root ? i * 3 + root : -1;
        for (i = 0; i < N; i++) flat[i] = -1;
        if (rank == root)
            MUST(MPI_Bcast(wide, 1, vector, root, comm));
        else
            MUST(MPI_Bcast(flat, N, MPI_INT, root, comm));
        if (rank != root)
            for (i = 0; i < N; i++)
                if (flat[i] != 2 * i * 3 + root) {
                    EQUAL("flat", 2 * i * 3 + root, flat[i]);
                    break;
                }
        for (i = 0; i < N; i++)
            if (rank == root) flat[i] = i - root;
        if (rank == root)
            MUST(MPI_Bcast(flat, N, MPI_INT, root, comm));
        else
            MUST(MPI_Bcast(wide, 1, vector, root, comm));
        if (rank != root)
            for (i = 0; i < 2 * N; i++)
                if (wide[i] != (i % 2 ? -1 : i / 2 - root)) {
                    EQUAL("wide", i % 2 ? -1 : i / 2 - root, wide[i]);
                    break;
                }
    }
    MUST(MPI_Type_free(&vector));
    free(wide);
    free(flat);
}

int main(int argc, char **argv) {
    test_start(&argc, &argv);
    on_comms(body);
    on_comms(derived);
    return test_finish();
}
