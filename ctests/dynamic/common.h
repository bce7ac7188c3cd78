/* What the tests of chapter 11 share: an inter-communicator is tried with messages, collectives, a merge and a split. */
#ifndef DYNAMIC_COMMON_H
#define DYNAMIC_COMMON_H
#include "../test.h"

/* Both groups call it; `side` is 0 in one of them and 1 in the other. Returns the two as one communicator. */
TEST_UNUSED static MPI_Comm try_joined(MPI_Comm inter, int side) {
    MPI_Comm merged, part, copy;
    MPI_Group theirs, all;
    MPI_Status status;
    MPI_Request request;
    int rank, size, remote, flag, i, word, got, sum, expected, *long_out, *long_in;
    const int count = 300000;
    STEP("the inter-communicator");
    MUST(MPI_Comm_test_inter(inter, &flag));
    EQUAL("an inter-communicator", 1, !!flag);
    MUST(MPI_Comm_rank(inter, &rank));
    MUST(MPI_Comm_size(inter, &size));
    MUST(MPI_Comm_remote_size(inter, &remote));
    MUST(MPI_Comm_remote_group(inter, &theirs));
    MUST(MPI_Group_size(theirs, &i));
    EQUAL("its remote group", remote, i);
    MUST(MPI_Group_rank(theirs, &i));
    EQUAL("this process in it", MPI_UNDEFINED, i);

    STEP("messages of several lengths");
    long_out = malloc(count * sizeof *long_out);
    long_in = malloc(count * sizeof *long_in);
    if (rank < remote && rank < size) {
        int counts[] = {0, 1, 1000, 5000, 40000, 300000}, n;
        for (n = 0; n < 6; n++) {
            for (i = 0; i < counts[n]; i++) long_out[i] = side * 1000000 + rank * 1000 + i, long_in[i] = -1;
            MUST(MPI_Sendrecv(long_out, counts[n], MPI_INT, rank, n, long_in, count, MPI_INT, rank, n, inter, &status));
            CHECK_STATUS("from the counterpart", &status, rank, n, MPI_INT, counts[n]);
            for (i = 0; i < counts[n]; i++)
                if (long_in[i] != (1 - side) * 1000000 + rank * 1000 + i) {
                    EQUAL("an element", (1 - side) * 1000000 + rank * 1000 + i, long_in[i]);
                    break;
                }
        }
        MUST(MPI_Issend(&rank, 1, MPI_INT, rank, 9, inter, &request));
        MUST(MPI_Probe(MPI_ANY_SOURCE, 9, inter, &status));
        MUST(MPI_Recv(&got, 1, MPI_INT, status.MPI_SOURCE, 9, inter, &status));
        EQUAL("who has sent synchronously", rank, got);
        MUST(MPI_Wait(&request, MPI_STATUS_IGNORE));
    }
    free(long_out);
    free(long_in);

    STEP("collectives between the groups");
    MUST(MPI_Barrier(inter));
    for (i = 0; i < 2; i++) {
        word = side == i && rank == 0 ? 4000 + i : -1;
        MUST(MPI_Bcast(&word, 1, MPI_INT, side != i ? 0 : rank == 0 ? MPI_ROOT : MPI_PROC_NULL, inter));
        if (side != i || rank == 0) EQUAL("bcast", 4000 + i, word);
    }
    word = 1 + rank;
    MUST(MPI_Allreduce(&word, &sum, 1, MPI_INT, MPI_SUM, inter));
    EQUAL("the other group's sum", remote * (remote + 1) / 2, sum);
    MUST(MPI_Comm_dup(inter, &copy));
    MUST(MPI_Barrier(copy));
    MUST(MPI_Comm_free(&copy));

    STEP("the merged communicator");
    MUST(MPI_Intercomm_merge(inter, side, &merged));
    MUST(MPI_Comm_size(merged, &i));
    EQUAL("its size", size + remote, i);
    MUST(MPI_Comm_rank(merged, &i));
    EQUAL("this rank in it", side ? remote + rank : rank, i);
    word = 1 << i;
    MUST(MPI_Allreduce(&word, &sum, 1, MPI_INT, MPI_BOR, merged));
    EQUAL("bits of all ranks", (1 << (size + remote)) - 1, sum);
    expected = 0;
    for (word = 0; word < size + remote; word++) expected += word * word;
    word = i * i;
    MUST(MPI_Reduce(&word, &sum, 1, MPI_INT, MPI_SUM, size + remote - 1, merged));
    if (i == size + remote - 1) EQUAL("squares of all ranks", expected, sum);
    MUST(MPI_Comm_group(merged, &all));
    MUST(MPI_Group_compare(theirs, all, &flag));
    EQUAL("two different groups", MPI_UNEQUAL, flag);
    MUST(MPI_Group_free(&all));
    MUST(MPI_Group_free(&theirs));
    MUST(MPI_Comm_split(merged, i % 2, i, &part));
    MUST(MPI_Barrier(part));
    MUST(MPI_Comm_free(&part));
    STEP("disconnect");
    return merged;
}

/* The end of a process whose parents say the verdict: its exit status. */
TEST_UNUSED static int end_quietly(void) {
    int total = 0;
    MPI_Allreduce(&test_errors, &total, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    STEP("finalize");
    MPI_Finalize();
    return total == 0 ? 0 : 1;
}
#endif
