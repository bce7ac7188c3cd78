/* Sizes, extents and true extents of predefined types and of every constructor, with negative strides,
 * explicit bounds, empty types, and alignment of structures. */
#include "../test.h"
#include <complex.h>
#include <stdbool.h>
#include <stdint.h>
#include <wchar.h>

/* Checks and frees a type; its numbers also go to the output, so that libraries can be compared. */
static void is(const char *what, MPI_Datatype type, int size, long lb, long extent, long true_lb, long true_extent) {
    int s = -1;
    MPI_Aint a = -1, b = -1, c = -1, d = -1;
    MPI_Count big = -1, e = -1, f = -1;
    STEP(what);
    MUST(MPI_Type_size(type, &s));
    MUST(MPI_Type_get_extent(type, &a, &b));
    MUST(MPI_Type_get_true_extent(type, &c, &d));
    if (test_rank == 0)
        printf("%s: size %d, lb %ld, extent %ld, true lb %ld, true extent %ld\n", what, s, (long)a, (long)b, (long)c,
               (long)d);
    CHECK(s == size && a == lb && b == extent && c == true_lb && d == true_extent,
          "%s: expected size %d, %ld %ld, %ld %ld, got %d, %ld %ld, %ld %ld", what, size, lb, extent, true_lb,
          true_extent, s, (long)a, (long)b, (long)c, (long)d);
    MUST(MPI_Type_size_x(type, &big));
    EQUAL("size_x", size, big);
    MUST(MPI_Type_get_extent_x(type, &e, &f));
    EQUAL("lb of get_extent_x", lb, e);
    EQUAL("extent of get_extent_x", extent, f);
    MUST(MPI_Type_get_true_extent_x(type, &e, &f));
    EQUAL("get_true_extent_x", true_extent, f);
    MUST(MPI_Type_free(&type));
    CHECK(type == MPI_DATATYPE_NULL, "free left the handle");
}

static void plain(const char *what, MPI_Datatype type, size_t size) {
    int s = -1;
    MPI_Aint lb = -1, extent = -1;
    MUST(MPI_Type_size(type, &s));
    EQUAL(what, size, s);
    MUST(MPI_Type_get_extent(type, &lb, &extent));
    EQUAL(what, 0, lb);
    EQUAL(what, size, extent);
}

#define PLAIN(type, ctype) plain(#type, type, sizeof(ctype))

static void predefined(void) {
    STEP("predefined");
    PLAIN(MPI_CHAR, char);
    PLAIN(MPI_SIGNED_CHAR, signed char);
    PLAIN(MPI_UNSIGNED_CHAR, unsigned char);
    PLAIN(MPI_BYTE, char);
    PLAIN(MPI_PACKED, char);
    PLAIN(MPI_SHORT, short);
    PLAIN(MPI_UNSIGNED_SHORT, unsigned short);
    PLAIN(MPI_INT, int);
    PLAIN(MPI_UNSIGNED, unsigned);
    PLAIN(MPI_LONG, long);
    PLAIN(MPI_UNSIGNED_LONG, unsigned long);
    PLAIN(MPI_LONG_LONG, long long);
    PLAIN(MPI_UNSIGNED_LONG_LONG, unsigned long long);
    PLAIN(MPI_FLOAT, float);
    PLAIN(MPI_DOUBLE, double);
    PLAIN(MPI_LONG_DOUBLE, long double);
    PLAIN(MPI_WCHAR, wchar_t);
    PLAIN(MPI_C_BOOL, bool);
    PLAIN(MPI_INT8_T, int8_t);
    PLAIN(MPI_INT16_T, int16_t);
    PLAIN(MPI_INT32_T, int32_t);
    PLAIN(MPI_INT64_T, int64_t);
    PLAIN(MPI_UINT8_T, uint8_t);
    PLAIN(MPI_UINT16_T, uint16_t);
    PLAIN(MPI_UINT32_T, uint32_t);
    PLAIN(MPI_UINT64_T, uint64_t);
    PLAIN(MPI_C_COMPLEX, float complex);
    PLAIN(MPI_C_FLOAT_COMPLEX, float complex);
    PLAIN(MPI_C_DOUBLE_COMPLEX, double complex);
    PLAIN(MPI_C_LONG_DOUBLE_COMPLEX, long double complex);
    PLAIN(MPI_AINT, MPI_Aint);
    PLAIN(MPI_OFFSET, MPI_Offset);
    PLAIN(MPI_COUNT, MPI_Count);
}

/* The pair types: the size leaves padding out, the extent is the structure's. */
static void pair(const char *what, MPI_Datatype type, int size, size_t extent) {
    int s = -1;
    MPI_Aint lb = -1, e = -1;
    MUST(MPI_Type_size(type, &s));
    EQUAL(what, size, s);
    MUST(MPI_Type_get_extent(type, &lb, &e));
    EQUAL(what, extent, e);
}

static void pairs(void) {
    struct {
        short a;
        int b;
    } short_int;
    struct {
        double a;
        int b;
    } double_int;
    struct {
        long double a;
        int b;
    } long_double_int;
    struct {
        long a;
        int b;
    } long_int;
    STEP("pairs");
    pair("MPI_FLOAT_INT", MPI_FLOAT_INT, 8, 8);
    pair("MPI_2INT", MPI_2INT, 8, 8);
    pair("MPI_SHORT_INT", MPI_SHORT_INT, (int)(sizeof(short) + sizeof(int)), sizeof short_int);
    pair("MPI_DOUBLE_INT", MPI_DOUBLE_INT, (int)(sizeof(double) + sizeof(int)), sizeof double_int);
    pair("MPI_LONG_INT", MPI_LONG_INT, (int)(sizeof(long) + sizeof(int)), sizeof long_int);
    pair("MPI_LONG_DOUBLE_INT", MPI_LONG_DOUBLE_INT, (int)(sizeof(long double) + sizeof(int)), sizeof long_double_int);
}

int main(int argc, char **argv) {
    MPI_Datatype t, u, list[3];
    int lengths[3], places[3], sizes[3] = {4, 5, 6}, sub[3] = {2, 3, 4}, start[3] = {1, 1, 2};
    MPI_Aint at[3];
    test_start(&argc, &argv);
    predefined();
    pairs();
    MUST(MPI_Type_contiguous(5, MPI_INT, &t));
    is("contiguous", t, 20, 0, 20, 0, 20);
    MUST(MPI_Type_contiguous(0, MPI_INT, &t));
    is("contiguous of nothing", t, 0, 0, 0, 0, 0);
    MUST(MPI_Type_vector(3, 2, 4, MPI_INT, &t));
    is("vector", t, 24, 0, 40, 0, 40);
    MUST(MPI_Type_vector(3, 2, -4, MPI_INT, &t));
    is("vector backwards", t, 24, -32, 40, -32, 40);
    MUST(MPI_Type_create_hvector(4, 1, 10, MPI_SHORT, &t));
    is("hvector", t, 8, 0, 32, 0, 32);
    lengths[0] = 2, lengths[1] = 1, lengths[2] = 3, places[0] = 5, places[1] = -2, places[2] = 1;
    MUST(MPI_Type_indexed(3, lengths, places, MPI_INT, &t));
    is("indexed", t, 24, -8, 36, -8, 36);
    lengths[1] = 0;
    MUST(MPI_Type_indexed(3, lengths, places, MPI_INT, &t));
    is("indexed with an empty block", t, 20, 4, 24, 4, 24);
    lengths[1] = 1, at[0] = 104, at[1] = 8, at[2] = 48;
    MUST(MPI_Type_create_hindexed(3, lengths, at, MPI_DOUBLE, &t));
    is("hindexed", t, 48, 8, 112, 8, 112);
    MUST(MPI_Type_create_indexed_block(3, 2, places, MPI_INT, &t));
    is("indexed_block", t, 24, -8, 36, -8, 36);
    MUST(MPI_Type_create_hindexed_block(3, 2, at, MPI_CHAR, &t));
    is("hindexed_block", t, 6, 8, 98, 8, 98);
    lengths[0] = lengths[1] = lengths[2] = 1, at[0] = 0, at[1] = 8, at[2] = 16;
    list[0] = MPI_CHAR, list[1] = MPI_DOUBLE, list[2] = MPI_CHAR;
    MUST(MPI_Type_create_struct(3, lengths, at, list, &t));
    is("struct, padded to its alignment", t, 10, 0, 24, 0, 17);
    lengths[0] = 3, at[0] = 40;
    MUST(MPI_Type_create_struct(2, lengths, at, list, &t));
    is("struct backwards", t, 11, 8, 40, 8, 35);
    MUST(MPI_Type_create_struct(0, lengths, at, list, &t));
    is("struct of nothing", t, 0, 0, 0, 0, 0);
    MUST(MPI_Type_create_resized(MPI_INT, -3, 20, &t));
    is("resized", t, 4, -3, 20, 0, 4);
    MUST(MPI_Type_create_resized(MPI_INT, 8, 4, &u));
    MUST(MPI_Type_contiguous(3, u, &t));
    MUST(MPI_Type_free(&u));
    is("contiguous of resized with a positive bound", t, 12, 8, 12, 0, 12);
    MUST(MPI_Type_create_resized(MPI_INT, 0, 16, &u));
    MUST(MPI_Type_vector(2, 2, 3, u, &t));
    MUST(MPI_Type_free(&u));
    is("vector of resized", t, 16, 0, 80, 0, 68);
    MUST(MPI_Type_create_resized(MPI_INT, 0, -4, &u));
    MUST(MPI_Type_contiguous(3, u, &t));
    MUST(MPI_Type_free(&u));
    is("contiguous of a negative extent", t, 12, -8, 4, -8, 12);
    MUST(MPI_Type_create_subarray(3, sizes, sub, start, MPI_ORDER_C, MPI_SHORT, &t));
    is("subarray", t, 48, 0, 240, 76, 92);
    MUST(MPI_Type_create_subarray(3, sizes, sub, start, MPI_ORDER_FORTRAN, MPI_SHORT, &t));
    is("subarray in Fortran's order", t, 48, 0, 240, 90, 140);
    MUST(MPI_Type_vector(3, 2, 4, MPI_INT, &u));
    MUST(MPI_Type_dup(u, &t));
    MUST(MPI_Type_free(&u));
    is("dup", t, 24, 0, 40, 0, 40);
    STEP("addresses");
    {
        char array[10];
        MUST(MPI_Get_address(array, &at[0]));
        MUST(MPI_Get_address(array + 7, &at[1]));
        EQUAL("difference", 7, at[1] - at[0]);
        EQUAL("MPI_Aint_diff", 7, MPI_Aint_diff(at[1], at[0]));
        EQUAL("MPI_Aint_add", at[1], MPI_Aint_add(at[0], 7));
    }
    STEP("more than 2 GiB");
    {
        MPI_Count big;
        MPI_Aint lb, extent;
        int small;
        MUST(MPI_Type_contiguous(1 << 30, MPI_DOUBLE, &t));
        MUST(MPI_Type_size_x(t, &big));
        EQUAL("size_x", (long long)8 << 30, big);
        MUST(MPI_Type_get_extent(t, &lb, &extent));
        EQUAL("extent", (long long)8 << 30, extent);
        MUST(MPI_Type_size(t, &small));
        EQUAL("the size does not fit an int", MPI_UNDEFINED, small);
        MUST(MPI_Type_free(&t));
    }
    return test_finish();
}
