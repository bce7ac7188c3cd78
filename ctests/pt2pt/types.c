/* Derived datatypes through point-to-point: what one side sends as a derived type the other may
 * receive as another one of the same signature, at sizes that are packed whole and in pieces. */
#include "../test.h"

typedef struct {
    char letter;
    double number;
    short small[3];
    int word;
} record;

static MPI_Datatype made[12];
static int count_made;

static MPI_Datatype keep(MPI_Datatype type) {
    MUST(MPI_Type_commit(&type));
    made[count_made++] = type;
    return type;
}

/* Rank 0 sends `count` of `type` from a buffer of ints that says its own position; rank 1 receives
 * it as plain ints and as the type itself. `place[k]` is the position of the k-th int of one element,
 * `stride` the distance of elements, `origin` where in the array the buffer argument points. */
static void ints(const char *what, MPI_Datatype type, int count, const int *place, int per, int stride, int origin,
                 int words) {
    int *array = test_alloc((size_t)words * sizeof(int)), *flat = test_alloc((size_t)(count * per) * sizeof(int));
    int i, k, tag, bad = 0, *expect;
    MPI_Status status;
    STEP(what);
    if (test_rank == 0) {
        for (i = 0; i < words; i++) array[i] = i;
        MUST(MPI_Send(array + origin, count, type, 1, 1, MPI_COMM_WORLD));
        MUST(MPI_Send(array + origin, count, type, 1, 2, MPI_COMM_WORLD));
        for (i = 0; i < count; i++)
            for (k = 0; k < per; k++) flat[i * per + k] = origin + i * stride + place[k];
        MUST(MPI_Send(flat, count * per, MPI_INT, 1, 3, MPI_COMM_WORLD));
    } else if (test_rank == 1) {
        MUST(MPI_Recv(flat, count * per, MPI_INT, 0, 1, MPI_COMM_WORLD, &status));
        CHECK_STATUS(what, &status, 0, 1, MPI_INT, count * per);
        for (i = 0; i < count && !bad; i++)
            for (k = 0; k < per && !bad; k++)
                if (flat[i * per + k] != origin + i * stride + place[k]) {
                    CHECK(0, "%s sent: element %d, int %d: expected %d, got %d", what, i, k,
                          origin + i * stride + place[k], flat[i * per + k]);
                    bad = 1;
                }
        expect = test_alloc((size_t)words * sizeof(int));
        for (i = 0; i < words; i++) expect[i] = -1;
        for (i = 0; i < count; i++)
            for (k = 0; k < per; k++) expect[origin + i * stride + place[k]] = origin + i * stride + place[k];
        /* Once sent as the type itself, once as plain ints. */
        for (tag = 2; tag <= 3; tag++) {
            for (i = 0; i < words; i++) array[i] = -1;
            MUST(MPI_Recv(array + origin, count, type, 0, tag, MPI_COMM_WORLD, &status));
            CHECK_STATUS(what, &status, 0, tag, type, count);
            for (i = 0; i < words; i++)
                if (array[i] != expect[i]) {
                    CHECK(0, "%s received: position %d: expected %d, got %d", what, i, expect[i], array[i]);
                    break;
                }
        }
        free(expect);
    }
    free(array);
    free(flat);
}

static void records(int count) {
    record *r = calloc((size_t)count, sizeof(record));
    int lengths[4] = {1, 1, 3, 1}, i;
    MPI_Aint places[4];
    MPI_Datatype types[4], plain, resized;
    MPI_Status status;
    STEP("struct");
    types[0] = MPI_CHAR, types[1] = MPI_DOUBLE, types[2] = MPI_SHORT, types[3] = MPI_INT;
    places[0] = (char *)&r->letter - (char *)r, places[1] = (char *)&r->number - (char *)r;
    places[2] = (char *)&r->small[0] - (char *)r, places[3] = (char *)&r->word - (char *)r;
    MUST(MPI_Type_create_struct(4, lengths, places, types, &plain));
    MUST(MPI_Type_create_resized(plain, 0, (MPI_Aint)sizeof(record), &resized));
    MUST(MPI_Type_commit(&resized));
    MUST(MPI_Type_free(&plain));
    if (test_rank == 0) {
        for (i = 0; i < count; i++) {
            r[i].letter = (char)('a' + i % 26), r[i].number = i * 0.25, r[i].word = -i;
            r[i].small[0] = (short)i, r[i].small[1] = (short)(i + 1), r[i].small[2] = (short)(i * 3);
        }
        MUST(MPI_Send(r, count, resized, 1, 4, MPI_COMM_WORLD));
    } else if (test_rank == 1) {
        MUST(MPI_Recv(r, count, resized, 0, 4, MPI_COMM_WORLD, &status));
        CHECK_STATUS("struct", &status, 0, 4, resized, count);
        for (i = 0; i < count; i++)
            if (r[i].letter != 'a' + i % 26 || r[i].number != i * 0.25 || r[i].word != -i || r[i].small[0] != (short)i ||
                r[i].small[2] != (short)(i * 3)) {
                CHECK(0, "record %d of %d is wrong", i, count);
                break;
            }
    }
    MUST(MPI_Type_free(&resized));
    free(r);
}

/* A type with an absolute origin: displacements are addresses, the buffer is MPI_BOTTOM. */
static void bottom(void) {
    int a[4] = {0, 0, 0, 0}, i;
    double b[2] = {0, 0};
    int lengths[2] = {4, 2};
    MPI_Aint places[2];
    MPI_Datatype types[2], type;
    STEP("MPI_BOTTOM");
    types[0] = MPI_INT, types[1] = MPI_DOUBLE;
    MUST(MPI_Get_address(a, &places[0]));
    MUST(MPI_Get_address(b, &places[1]));
    MUST(MPI_Type_create_struct(2, lengths, places, types, &type));
    MUST(MPI_Type_commit(&type));
    if (test_rank == 0) {
        for (i = 0; i < 4; i++) a[i] = i + 1;
        b[0] = 0.5, b[1] = 1.5;
        MUST(MPI_Send(MPI_BOTTOM, 1, type, 1, 5, MPI_COMM_WORLD));
    } else if (test_rank == 1) {
        MUST(MPI_Recv(MPI_BOTTOM, 1, type, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        EQUAL("int", 4, a[3]);
        CHECK(b[1] == 1.5, "double: expected 1.5, got %g", b[1]);
    }
    MUST(MPI_Type_free(&type));
}

/* Less than the receive has room for, ending inside an element. */
static void partial(void) {
    int data[30], i, count, elements;
    MPI_Datatype three;
    MPI_Status status;
    STEP("partial element");
    MUST(MPI_Type_contiguous(3, MPI_INT, &three));
    MUST(MPI_Type_commit(&three));
    for (i = 0; i < 30; i++) data[i] = test_rank == 0 ? i : -1;
    if (test_rank == 0) MUST(MPI_Send(data, 7, MPI_INT, 1, 6, MPI_COMM_WORLD));
    if (test_rank == 1) {
        MUST(MPI_Recv(data, 10, three, 0, 6, MPI_COMM_WORLD, &status));
        MUST(MPI_Get_count(&status, three, &count));
        EQUAL("count of a partial element", MPI_UNDEFINED, count);
        MUST(MPI_Get_elements(&status, three, &elements));
        EQUAL("elements", 7, elements);
        EQUAL("last", 6, data[6]);
        EQUAL("beyond", -1, data[7]);
    }
    MUST(MPI_Type_free(&three));
}

int main(int argc, char **argv) {
    static const int repeats[] = {1, 3, 100, 20000};
    int r, i;
    test_start(&argc, &argv);
    for (r = 0; r < 4; r++) {
        int n = repeats[r];
        MPI_Datatype type, inner;
        {
            int place[6] = {0, 1, 5, 6, 10, 11};
            MUST(MPI_Type_vector(3, 2, 5, MPI_INT, &type));
            ints("vector", keep(type), n, place, 6, 12, 0, n * 12 + 1);
        }
        {
            int place[4] = {9, 6, 3, 0};
            MUST(MPI_Type_vector(4, 1, -3, MPI_INT, &type));
            /* lb is -36 bytes, extent 40: the buffer points at the last of the four. */
            for (i = 0; i < 4; i++) place[i] -= 9;
            ints("negative stride", keep(type), n, place, 4, 10, 9, n * 10 + 1);
        }
        {
            int lengths[3] = {2, 0, 3}, places[3] = {4, 9, 0}, place[5] = {4, 5, 0, 1, 2};
            MUST(MPI_Type_indexed(3, lengths, places, MPI_INT, &type));
            ints("indexed", keep(type), n, place, 5, 6, 0, n * 6 + 1);
        }
        {
            int places[3] = {8, 0, 4}, place[6] = {8, 9, 0, 1, 4, 5};
            MUST(MPI_Type_create_indexed_block(3, 2, places, MPI_INT, &type));
            ints("indexed_block", keep(type), n, place, 6, 10, 0, n * 10 + 1);
        }
        {
            int sizes[2] = {4, 5}, sub[2] = {2, 3}, start[2] = {1, 2}, place[6] = {7, 8, 9, 12, 13, 14};
            MUST(MPI_Type_create_subarray(2, sizes, sub, start, MPI_ORDER_C, MPI_INT, &type));
            ints("subarray", keep(type), n, place, 6, 20, 0, n * 20 + 1);
        }
        {
            int place[2] = {0, 1};
            MUST(MPI_Type_contiguous(2, MPI_INT, &inner));
            MUST(MPI_Type_create_resized(inner, -4, 28, &type));
            ints("resized with a negative lower bound", keep(type), n, place, 2, 7, 1, n * 7 + 2);
            MUST(MPI_Type_free(&inner));
        }
        {
            int place[8] = {0, 1, 3, 4, 12, 13, 15, 16};
            MUST(MPI_Type_vector(2, 2, 3, MPI_INT, &inner));
            MUST(MPI_Type_create_hvector(2, 1, 48, inner, &type));
            ints("vector of vectors", keep(type), n, place, 8, 17, 0, n * 17 + 1);
            MUST(MPI_Type_free(&inner));
        }
        for (i = 0; i < count_made; i++) MUST(MPI_Type_free(&made[i]));
        count_made = 0;
        records(n);
    }
    bottom();
    partial();
    return test_finish();
}
