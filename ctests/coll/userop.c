/* User-defined operations: commutative, and one that is associative but not commutative (products of
 * 2x2 matrices modulo a prime), which must be applied in rank order, in every reducing collective. */
#include "../test.h"
#include "comms.h"

typedef struct {
    int m[4];
} matrix;

enum { PRIME = 10007 };
static MPI_Datatype matrix_type;
static MPI_Op product, larger;
static int calls;

static matrix multiply(matrix a, matrix b) {
    matrix c;
    c.m[0] = (a.m[0] * b.m[0] + a.m[1] * b.m[2]) % PRIME;
    c.m[1] = (a.m[0] * b.m[1] + a.m[1] * b.m[3]) % PRIME;
    c.m[2] = (a.m[2] * b.m[0] + a.m[3] * b.m[2]) % PRIME;
    c.m[3] = (a.m[2] * b.m[1] + a.m[3] * b.m[3]) % PRIME;
    return c;
}

static void apply(void *in, void *inout, int *count, MPI_Datatype *type) {
    matrix *a = in, *b = inout;
    int i;
    calls++;
    CHECK(*type == matrix_type, "the operation got another datatype");
    for (i = 0; i < *count; i++) b[i] = multiply(a[i], b[i]);
}

static void take_larger(void *in, void *inout, int *count, MPI_Datatype *type) {
    int *a = in, *b = inout, i;
    CHECK(*type == MPI_INT, "the operation got another datatype than MPI_INT");
    for (i = 0; i < *count; i++)
        if (a[i] > b[i]) b[i] = a[i];
}

static matrix term(int r, int i) {
    matrix t;
    t.m[0] = 1 + r, t.m[1] = i % 50 + 1, t.m[2] = r + i % 7, t.m[3] = 2 * r + 1;
    return t;
}

static matrix expected(int from, int to, int i) {
    matrix t = term(from, i);
    for (from++; from <= to; from++) t = multiply(t, term(from, i));
    return t;
}

static void check(const char *what, const matrix *got, int n, int to, int first) {
    int i;
    for (i = 0; i < n; i++) {
        matrix e = expected(0, to, first + i);
        if (memcmp(&e, &got[i], sizeof e) != 0) {
            CHECK(0, "%s, element %d of %d: expected %d %d %d %d, got %d %d %d %d", what, i, n, e.m[0], e.m[1], e.m[2],
                  e.m[3], got[i].m[0], got[i].m[1], got[i].m[2], got[i].m[3]);
            return;
        }
    }
}

static void body(MPI_Comm comm) {
    static const int counts[] = {1, 6, 300, 5000};
    int c, i, root;
    for (c = 0; c < 4; c++) {
        int n = counts[c];
        size_t bytes = (size_t)(n * size) * sizeof(matrix);
        matrix *mine = test_alloc(bytes), *got = test_alloc(bytes);
        int *numbers = test_alloc((size_t)n * sizeof(int)), *most = test_alloc((size_t)n * sizeof(int));
        for (i = 0; i < n * size; i++) mine[i] = term(rank, i);
        MUST(MPI_Allreduce(mine, got, n, matrix_type, product, comm));
        check("allreduce", got, n, size - 1, 0);
        for (root = 0; root < size; root++) {
            MUST(MPI_Reduce(mine, got, n, matrix_type, product, root, comm));
            if (rank == root) check("reduce", got, n, size - 1, 0);
        }
        MUST(MPI_Scan(mine, got, n, matrix_type, product, comm));
        check("scan", got, n, rank, 0);
        MUST(MPI_Exscan(mine, got, n, matrix_type, product, comm));
        if (rank > 0) check("exscan", got, n, rank - 1, 0);
        MUST(MPI_Reduce_scatter_block(mine, got, n, matrix_type, product, comm));
        check("reduce_scatter_block", got, n, size - 1, rank * n);
        for (i = 0; i < n; i++) numbers[i] = (rank * 7 + i) % 11;
        MUST(MPI_Allreduce(numbers, most, n, MPI_INT, larger, comm));
        for (i = 0; i < n; i++) {
            int r, e = -1;
            for (r = 0; r < size; r++) e = (r * 7 + i) % 11 > e ? (r * 7 + i) % 11 : e;
            if (e != most[i]) {
                EQUAL("commutative", e, most[i]);
                break;
            }
        }
        free(mine);
        free(got);
        free(numbers);
        free(most);
    }
}

/* Adds elements of any number of doubles. */
static void add_long(void *in, void *inout, int *length, MPI_Datatype *datatype) {
    int i, bytes;
    MPI_Type_size(*datatype, &bytes);
    for (i = 0; i < *length * (bytes / (int)sizeof(double)); i++) ((double *)inout)[i] += ((double *)in)[i];
}

/* Single elements around the lengths of what shared memory passes on at a time. */
static void long_elements(MPI_Comm comm) {
    static const int doubles[] = {1000, 1024, 1025, 2048, 4096, 4097, 8192, 8193, 20000};
    enum { COUNT = 3 };
    int d, n, i, root;
    MPI_Op sum;
    STEP("long elements");
    MUST(MPI_Op_create(add_long, 1, &sum));
    for (d = 0; d < (int)(sizeof doubles / sizeof doubles[0]); d++) {
        size_t all = (size_t)doubles[d] * COUNT;
        double *mine = test_alloc(all * sizeof(double)), *got = test_alloc(all * sizeof(double));
        MPI_Datatype element;
        MUST(MPI_Type_contiguous(doubles[d], MPI_DOUBLE, &element));
        MUST(MPI_Type_commit(&element));
        for (i = 0; i < (int)all; i++) mine[i] = rank + i;
        for (n = 1; n <= COUNT; n++)
            for (root = -1; root < size; root++) {
                if (root < 0) MUST(MPI_Allreduce(mine, got, n, element, sum, comm));
                else MUST(MPI_Reduce(mine, got, n, element, sum, root, comm));
                for (i = 0; (root < 0 || rank == root) && i < n * doubles[d]; i++)
                    if (got[i] != size * i + size * (size - 1) / 2) {
                        CHECK(0, "%d elements of %d doubles, root %d: number %d is %g", n, doubles[d], root, i, got[i]);
                        break;
                    }
            }
        MUST(MPI_Type_free(&element));
        free(mine);
        free(got);
    }
    MUST(MPI_Op_free(&sum));
}

int main(int argc, char **argv) {
    int commutes = -1;
    matrix a, b, c;
    test_start(&argc, &argv);
    MUST(MPI_Type_contiguous(4, MPI_INT, &matrix_type));
    MUST(MPI_Type_commit(&matrix_type));
    MUST(MPI_Op_create(apply, 0, &product));
    MUST(MPI_Op_create(take_larger, 1, &larger));
    MUST(MPI_Op_commutative(product, &commutes));
    EQUAL("product commutes", 0, commutes);
    MUST(MPI_Op_commutative(larger, &commutes));
    EQUAL("maximum commutes", 1, commutes);
    MUST(MPI_Op_commutative(MPI_SUM, &commutes));
    EQUAL("MPI_SUM commutes", 1, commutes);
    STEP("reduce_local");
    a = term(1, 1), b = term(2, 2), c = multiply(a, b);
    MUST(MPI_Reduce_local(&a, &b, 1, matrix_type, product));
    CHECK(memcmp(&b, &c, sizeof b) == 0, "reduce_local: operands in the wrong order");
    CHECK(calls == 1, "reduce_local called the operation %d times", calls);
    on_comms(body);
    on_comms(long_elements);
    MUST(MPI_Op_free(&product));
    CHECK(product == MPI_OP_NULL, "op_free left the handle");
    MUST(MPI_Op_free(&larger));
    MUST(MPI_Type_free(&matrix_type));
    return test_finish();
}
