/* Inter-communicators: made from the even and the odd ranks, messages between the groups, collectives
 * with MPI_ROOT, dup, merge in both orders, and tests and comparisons. */
#include "../test.h"

int main(int argc, char **argv) {
    MPI_Comm local, inter, copy, merged, back;
    MPI_Group mine, theirs;
    int side, rank, size, remote, flag, i, word, got, sum, all[64], out[64], result;
    MPI_Status status;
    test_start(&argc, &argv);
    if (test_size < 2) return test_finish();
    side = test_rank % 2;
    STEP("create");
    MUST(MPI_Comm_split(MPI_COMM_WORLD, side, test_rank, &local));
    MUST(MPI_Intercomm_create(local, 0, MPI_COMM_WORLD, 1 - side, 5, &inter));
    MUST(MPI_Comm_test_inter(inter, &flag));
    EQUAL("an inter-communicator", 1, !!flag);
    MUST(MPI_Comm_rank(inter, &rank));
    MUST(MPI_Comm_size(inter, &size));
    MUST(MPI_Comm_remote_size(inter, &remote));
    EQUAL("rank", test_rank / 2, rank);
    EQUAL("size", (test_size + 1 - side) / 2, size);
    EQUAL("remote size", (test_size + side) / 2, remote);
    MUST(MPI_Comm_group(inter, &mine));
    MUST(MPI_Comm_remote_group(inter, &theirs));
    MUST(MPI_Group_size(theirs, &i));
    EQUAL("remote group", remote, i);
    MUST(MPI_Group_rank(theirs, &i));
    EQUAL("not a member of it", MPI_UNDEFINED, i);
    MUST(MPI_Group_free(&mine));
    MUST(MPI_Group_free(&theirs));

    STEP("messages");
    if (rank < remote) {
        word = test_rank;
        MUST(MPI_Sendrecv(&word, 1, MPI_INT, rank, 1, &got, 1, MPI_INT, rank, 1, inter, &status));
        EQUAL("from my counterpart", rank * 2 + 1 - side, got);
        CHECK_STATUS("ranks are the remote group's", &status, rank, 1, MPI_INT, 1);
    }

    STEP("collectives");
    MUST(MPI_Barrier(inter));
    for (i = 0; i < 2; i++) {
        /* Group i's rank 0 is the root, the other group receives. */
        word = side == i && rank == 0 ? 4000 + i : -1;
        MUST(MPI_Bcast(&word, 1, MPI_INT, side != i ? 0 : rank == 0 ? MPI_ROOT : MPI_PROC_NULL, inter));
        if (side != i) EQUAL("bcast", 4000 + i, word);
        word = test_rank, sum = -1;
        MUST(MPI_Reduce(&word, &sum, 1, MPI_INT, MPI_SUM, side != i ? 0 : rank == 0 ? MPI_ROOT : MPI_PROC_NULL, inter));
        if (side == i && rank == 0) EQUAL("reduce", remote * (remote - 1) + (1 - side) * remote, sum);
        MUST(MPI_Gather(&word, 1, MPI_INT, all, 1, MPI_INT, side != i ? 0 : rank == 0 ? MPI_ROOT : MPI_PROC_NULL,
                        inter));
        if (side == i && rank == 0) EQUAL("gather", 2 * (remote - 1) + 1 - side, all[remote - 1]);
    }
    word = test_rank;
    MUST(MPI_Allreduce(&word, &sum, 1, MPI_INT, MPI_SUM, inter));
    EQUAL("allreduce: the other group's sum", remote * (remote - 1) + (1 - side) * remote, sum);
    MUST(MPI_Allgather(&word, 1, MPI_INT, all, 1, MPI_INT, inter));
    for (i = 0; i < remote; i++) EQUAL("allgather", 2 * i + 1 - side, all[i]);
    for (i = 0; i < remote; i++) out[i] = test_rank * 100 + i;
    MUST(MPI_Alltoall(out, 1, MPI_INT, all, 1, MPI_INT, inter));
    for (i = 0; i < remote; i++) EQUAL("alltoall", (2 * i + 1 - side) * 100 + rank, all[i]);

    STEP("dup and compare");
    MUST(MPI_Comm_dup(inter, &copy));
    MUST(MPI_Comm_compare(inter, copy, &result));
    EQUAL("congruent", MPI_CONGRUENT, result);
    MUST(MPI_Comm_compare(inter, local, &result));
    EQUAL("inter and intra", MPI_UNEQUAL, result);
    MUST(MPI_Barrier(copy));
    MUST(MPI_Comm_free(&copy));

    STEP("merge");
    MUST(MPI_Intercomm_merge(inter, side, &merged));
    MUST(MPI_Comm_rank(merged, &i));
    EQUAL("the odd group is high", side ? remote + rank : rank, i);
    MUST(MPI_Comm_size(merged, &i));
    EQUAL("merged size", test_size, i);
    MUST(MPI_Allreduce(&word, &sum, 1, MPI_INT, MPI_SUM, merged));
    EQUAL("merged sum", test_size * (test_size - 1) / 2, sum);
    MUST(MPI_Comm_free(&merged));
    MUST(MPI_Intercomm_merge(inter, !side, &back));
    MUST(MPI_Comm_rank(back, &i));
    EQUAL("the even group is high", side ? rank : remote + rank, i);
    MUST(MPI_Comm_free(&back));

    STEP("split");
    if (test_size >= 4) {
        MUST(MPI_Comm_split(inter, rank % 2, 0, &copy));
        if (copy != MPI_COMM_NULL) {
            MUST(MPI_Comm_remote_size(copy, &i));
            EQUAL("remote size of a half", (remote + 1 - rank % 2) / 2, i);
            MUST(MPI_Barrier(copy));
            MUST(MPI_Comm_free(&copy));
        }
    }
    MUST(MPI_Comm_free(&inter));
    MUST(MPI_Comm_free(&local));
    return test_finish();
}
