/* Cartesian topologies: dims_create, create, coordinates and ranks, shifts with and without wrapping,
 * sub-grids, map, and MPI_Topo_test on everything. Six ranks make a 3 x 2 grid. */
#include "../test.h"

static void dims(int nodes, int n, int a, int b, int c, int ea, int eb, int ec) {
    int d[3];
    d[0] = a, d[1] = b, d[2] = c;
    MUST(MPI_Dims_create(nodes, n, d));
    EQUAL("dims 0", ea, d[0]);
    if (n > 1) EQUAL("dims 1", eb, d[1]);
    if (n > 2) EQUAL("dims 2", ec, d[2]);
}

int main(int argc, char **argv) {
    int d[2] = {3, 2}, periods[2] = {1, 0}, at[2], got_d[2], got_p[2], n, rank, r, source, dest, i, keep[2];
    MPI_Comm grid, row, none;
    test_start(&argc, &argv);
    STEP("dims_create");
    dims(12, 2, 0, 0, 0, 4, 3, 0);
    dims(12, 3, 0, 0, 0, 3, 2, 2);
    /* As close to each other as possible, which is more than a small largest one: not 24 x 24 x 13. */
    dims(7488, 3, 0, 0, 0, 26, 18, 16);
    dims(34425, 3, 0, 0, 0, 51, 27, 25);
    dims(7, 2, 0, 0, 0, 7, 1, 0);
    dims(24, 3, 0, 4, 0, 3, 4, 2);
    dims(16, 2, 0, 0, 0, 4, 4, 0);
    dims(1, 3, 0, 0, 0, 1, 1, 1);
    dims(6, 1, 0, 0, 0, 6, 0, 0);
    STEP("topo_test");
    MUST(MPI_Topo_test(MPI_COMM_WORLD, &n));
    EQUAL("the world has none", MPI_UNDEFINED, n);
    if (test_size != 6) {
        printf("this test needs 6 ranks\n");
        test_errors++;
        return test_finish();
    }
    STEP("3 x 2");
    MUST(MPI_Cart_create(MPI_COMM_WORLD, 2, d, periods, 0, &grid));
    MUST(MPI_Topo_test(grid, &n));
    EQUAL("a grid", MPI_CART, n);
    MUST(MPI_Cartdim_get(grid, &n));
    EQUAL("dimensions", 2, n);
    MUST(MPI_Comm_rank(grid, &rank));
    EQUAL("not reordered", test_rank, rank);
    MUST(MPI_Cart_get(grid, 2, got_d, got_p, at));
    for (i = 0; i < 2; i++) {
        EQUAL("dims", d[i], got_d[i]);
        EQUAL("periods", periods[i], !!got_p[i]);
    }
    EQUAL("row-major", rank, at[0] * 2 + at[1]);
    for (r = 0; r < 6; r++) {
        int back = -1;
        MUST(MPI_Cart_coords(grid, r, 2, at));
        EQUAL("coords 0", r / 2, at[0]);
        EQUAL("coords 1", r % 2, at[1]);
        MUST(MPI_Cart_rank(grid, at, &back));
        EQUAL("rank", r, back);
        at[0] -= 6;
        MUST(MPI_Cart_rank(grid, at, &back));
        EQUAL("wrapped", r, back);
        at[0] += 9;
        MUST(MPI_Cart_rank(grid, at, &back));
        EQUAL("wrapped", r, back);
    }
    STEP("shift");
    MUST(MPI_Cart_shift(grid, 0, 1, &source, &dest));
    EQUAL("periodic source", (rank + 4) % 6, source);
    EQUAL("periodic dest", (rank + 2) % 6, dest);
    MUST(MPI_Cart_shift(grid, 0, -2, &source, &dest));
    EQUAL("periodic by -2, dest", (rank + 2) % 6, dest);
    MUST(MPI_Cart_shift(grid, 1, 1, &source, &dest));
    EQUAL("open source", rank % 2 ? rank - 1 : MPI_PROC_NULL, source);
    EQUAL("open dest", rank % 2 ? MPI_PROC_NULL : rank + 1, dest);
    MUST(MPI_Cart_shift(grid, 1, 2, &source, &dest));
    EQUAL("beyond", MPI_PROC_NULL, dest);
    STEP("sub");
    keep[0] = 1, keep[1] = 0;
    MUST(MPI_Cart_sub(grid, keep, &row));
    MUST(MPI_Comm_size(row, &n));
    EQUAL("column size", 3, n);
    MUST(MPI_Comm_rank(row, &r));
    EQUAL("column rank", rank / 2, r);
    MUST(MPI_Cartdim_get(row, &n));
    EQUAL("one dimension left", 1, n);
    MUST(MPI_Cart_get(row, 1, got_d, got_p, at));
    EQUAL("still periodic", 1, !!got_p[0]);
    MUST(MPI_Comm_free(&row));
    keep[0] = 0;
    MUST(MPI_Cart_sub(grid, keep, &row));
    MUST(MPI_Comm_size(row, &n));
    EQUAL("no dimension: alone", 1, n);
    MUST(MPI_Cartdim_get(row, &n));
    EQUAL("zero dimensions", 0, n);
    MUST(MPI_Comm_free(&row));
    STEP("dup keeps the topology");
    MUST(MPI_Comm_dup(grid, &row));
    MUST(MPI_Topo_test(row, &n));
    EQUAL("a grid", MPI_CART, n);
    MUST(MPI_Comm_free(&row));
    MUST(MPI_Comm_free(&grid));
    STEP("smaller than the world");
    d[0] = 2;
    MUST(MPI_Cart_create(MPI_COMM_WORLD, 2, d, periods, 1, &none));
    MUST(MPI_Cart_map(MPI_COMM_WORLD, 2, d, periods, &r));
    if (none == MPI_COMM_NULL)
        EQUAL("left out", MPI_UNDEFINED, r);
    else {
        MUST(MPI_Comm_size(none, &n));
        EQUAL("size", 4, n);
        MUST(MPI_Comm_free(&none));
    }
    return test_finish();
}
