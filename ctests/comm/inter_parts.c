/* Inter-communicators: MPI_Comm_split_type, and arguments that do not count at MPI_PROC_NULL. */
#include "../test.h"

int main(int argc, char **argv) {
    MPI_Comm local, inter, part;
    int side, rank, remote, n, i, word, largest = -1, here = 0;
    char *near;
    test_start(&argc, &argv);
    if (test_size < 2) return test_finish();
    side = test_rank % 2;
    MUST(MPI_Comm_split(MPI_COMM_WORLD, side, test_rank, &local));
    MUST(MPI_Intercomm_create(local, 0, MPI_COMM_WORLD, 1 - side, 5, &inter));
    MUST(MPI_Comm_rank(inter, &rank));
    MUST(MPI_Comm_remote_size(inter, &remote));

    STEP("MPI_Reduce at MPI_PROC_NULL");
    word = test_rank;
    if (side == 0 && rank > 0)
        MUST(MPI_Reduce(NULL, NULL, -1, MPI_DATATYPE_NULL, MPI_OP_NULL, MPI_PROC_NULL, inter));
    else
        MUST(MPI_Reduce(&word, &largest, 1, MPI_INT, MPI_MAX, side ? 0 : MPI_ROOT, inter));
    if (side == 0 && rank == 0) EQUAL("the last odd rank", 2 * remote - 1, largest);

    STEP("split by type");
    near = test_neighbours();
    for (i = 1 - side; i < test_size; i += 2) here += near[i];
    free(near);
    MUST(MPI_Comm_split_type(inter, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &part));
    if (part == MPI_COMM_NULL)
        EQUAL("nobody of the other group is on this host", 0, here);
    else {
        MUST(MPI_Comm_remote_size(part, &n));
        EQUAL("all of the other group that are on this host", here, n);
        MUST(MPI_Comm_free(&part));
    }
    MUST(MPI_Comm_split_type(inter, MPI_UNDEFINED, 0, MPI_INFO_NULL, &part));
    EQUAL("nobody", 1, part == MPI_COMM_NULL);
    MUST(MPI_Comm_free(&inter));
    MUST(MPI_Comm_free(&local));
    return test_finish();
}
