/* Every predefined operation on every type it is defined for: MPI_Reduce_local (by order of operands),
 * MPI_Allreduce, and the pairs of MINLOC/MAXLOC with their rule for ties. */
#include "../test.h"
#include <complex.h>
#include <stdbool.h>
#include <stdint.h>

enum { N = 37 };

/* The value that rank r contributes at place i: small and positive, so that no product overflows the
 * smallest type, and both zero and non-zero occur. */
static int value(int r, int i) { return (r * 5 + i * 3) % 4; }

static long long fold(int op, long long a, long long b) {
    switch (op) {
        case 0: return a > b ? a : b;
        case 1: return a < b ? a : b;
        case 2: return a + b;
        case 3: return a * b;
        case 4: return a && b;
        case 5: return a || b;
        case 6: return !a != !b;
        case 7: return a & b;
        case 8: return a | b;
        default: return a ^ b;
    }
}

static const char *const op_names[] = {"MAX", "MIN", "SUM", "PROD", "LAND", "LOR", "LXOR", "BAND", "BOR", "BXOR"};
static MPI_Op ops[10];

static long long expected(int op, int i) {
    long long all = value(0, i);
    int r;
    for (r = 1; r < test_size; r++) all = fold(op, all, value(r, i));
    return all;
}

/* One function per C type, because the buffers are of that type. `first`..`last` are the operations. */
#define NUMBERS(name, ctype)                                                                                       \
    static void name(const char *what, MPI_Datatype type, int first, int last) {                                   \
        ctype mine[N], got[N + 1], left[N], right[N];                                                              \
        char text[80];                                                                                             \
        int op, i;                                                                                                 \
        for (op = first; op <= last; op++) {                                                                       \
            snprintf(text, sizeof text, "MPI_%s on %s", op_names[op], what);                                       \
            for (i = 0; i < N; i++) mine[i] = (ctype)value(test_rank, i), got[i] = (ctype)9;                       \
            got[N] = (ctype)9;                                                                                     \
            MUST(MPI_Allreduce(mine, got, N, type, ops[op], MPI_COMM_WORLD));                                      \
            for (i = 0; i < N; i++)                                                                                \
                if (got[i] != (ctype)expected(op, i)) {                                                            \
                    CHECK(0, "%s, place %d: expected %lld, got %lld", text, i, expected(op, i), (long long)got[i]); \
                    break;                                                                                         \
                }                                                                                                  \
            CHECK(got[N] == (ctype)9, "%s: element after the buffer written", text);                               \
            for (i = 0; i < N; i++) left[i] = (ctype)value(1, i), right[i] = (ctype)value(2, i);                   \
            MUST(MPI_Reduce_local(left, right, N, type, ops[op]));                                                 \
            for (i = 0; i < N; i++)                                                                                \
                if (right[i] != (ctype)fold(op, value(1, i), value(2, i)) || left[i] != (ctype)value(1, i)) {      \
                    CHECK(0, "%s, reduce_local, place %d: got %lld", text, i, (long long)right[i]);                \
                    break;                                                                                         \
                }                                                                                                  \
        }                                                                                                          \
    }

NUMBERS(chars, signed char)
NUMBERS(uchars, unsigned char)
NUMBERS(shorts, short)
NUMBERS(ushorts, unsigned short)
NUMBERS(ints, int)
NUMBERS(uints, unsigned)
NUMBERS(longs, long)
NUMBERS(ulongs, unsigned long)
NUMBERS(llongs, long long)
NUMBERS(ullongs, unsigned long long)
NUMBERS(aints, MPI_Aint)
NUMBERS(offsets, MPI_Offset)
NUMBERS(mpi_counts, MPI_Count)
NUMBERS(floats, float)
NUMBERS(doubles, double)
NUMBERS(ldoubles, long double)
NUMBERS(i8, int8_t)
NUMBERS(i16, int16_t)
NUMBERS(i32, int32_t)
NUMBERS(i64, int64_t)
NUMBERS(u8, uint8_t)
NUMBERS(u16, uint16_t)
NUMBERS(u32, uint32_t)
NUMBERS(u64, uint64_t)
NUMBERS(bools, bool)

#define COMPLEXES(name, ctype)                                                                               \
    static void name(const char *what, MPI_Datatype type) {                                                  \
        ctype mine[N], got[N], sum, product;                                                                 \
        int i, r;                                                                                            \
        for (i = 0; i < N; i++) mine[i] = (ctype)(value(test_rank, i) + 1 + I * (value(test_rank, i + 1)));  \
        MUST(MPI_Allreduce(mine, got, N, type, MPI_SUM, MPI_COMM_WORLD));                                    \
        for (i = 0; i < N; i++) {                                                                            \
            for (sum = 0, r = 0; r < test_size; r++) sum += (ctype)(value(r, i) + 1 + I * value(r, i + 1));  \
            CHECK(sum == got[i], "sum on %s, place %d is wrong", what, i);                                   \
        }                                                                                                    \
        MUST(MPI_Allreduce(mine, got, N, type, MPI_PROD, MPI_COMM_WORLD));                                   \
        for (i = 0; i < N; i++) {                                                                            \
            for (product = 1, r = 0; r < test_size; r++)                                                     \
                product *= (ctype)(value(r, i) + 1 + I * value(r, i + 1));                                   \
            CHECK(product == got[i], "product on %s, place %d is wrong", what, i);                           \
        }                                                                                                    \
    }

COMPLEXES(fcomplex, float complex)
COMPLEXES(dcomplex, double complex)
COMPLEXES(ldcomplex, long double complex)

/* Equal values occur on several ranks: the lowest index must win, for both operations. */
#define PAIRS(name, ctype)                                                                                         \
    static void name(const char *what, MPI_Datatype type) {                                                        \
        struct {                                                                                                   \
            ctype value;                                                                                           \
            int index;                                                                                             \
        } mine[N], got[N];                                                                                         \
        int which, i, r;                                                                                           \
        for (which = 0; which < 2; which++) {                                                                      \
            memset(mine, 0, sizeof mine);                                                                          \
            for (i = 0; i < N; i++) mine[i].value = (ctype)value(test_rank, i), mine[i].index = test_rank * 10 + i; \
            MUST(MPI_Allreduce(mine, got, N, type, which ? MPI_MAXLOC : MPI_MINLOC, MPI_COMM_WORLD));              \
            for (i = 0; i < N; i++) {                                                                              \
                int best = 0;                                                                                      \
                for (r = 1; r < test_size; r++)                                                                    \
                    if (which ? value(r, i) > value(best, i) : value(r, i) < value(best, i)) best = r;             \
                if (got[i].value != (ctype)value(best, i) || got[i].index != best * 10 + i) {                      \
                    CHECK(0, "%s on %s, place %d: expected %d at %d, got %d at %d", which ? "MAXLOC" : "MINLOC",   \
                          what, i, value(best, i), best * 10 + i, (int)got[i].value, got[i].index);                \
                    break;                                                                                         \
                }                                                                                                  \
            }                                                                                                      \
        }                                                                                                          \
    }

PAIRS(float_int, float)
PAIRS(double_int, double)
PAIRS(long_int, long)
PAIRS(two_int, int)
PAIRS(short_int, short)
PAIRS(ldouble_int, long double)

#define EVERY(function, type) (STEP(#type), function(#type, type, 0, 9))
/* Floating point has no logical and no bitwise operations. */
#define FLOATING(function, type) (STEP(#type), function(#type, type, 0, 3))

int main(int argc, char **argv) {
    test_start(&argc, &argv);
    ops[0] = MPI_MAX, ops[1] = MPI_MIN, ops[2] = MPI_SUM, ops[3] = MPI_PROD, ops[4] = MPI_LAND;
    ops[5] = MPI_LOR, ops[6] = MPI_LXOR, ops[7] = MPI_BAND, ops[8] = MPI_BOR, ops[9] = MPI_BXOR;
    EVERY(chars, MPI_SIGNED_CHAR);
    EVERY(uchars, MPI_UNSIGNED_CHAR);
    EVERY(shorts, MPI_SHORT);
    EVERY(ushorts, MPI_UNSIGNED_SHORT);
    EVERY(ints, MPI_INT);
    EVERY(uints, MPI_UNSIGNED);
    EVERY(longs, MPI_LONG);
    EVERY(ulongs, MPI_UNSIGNED_LONG);
    EVERY(llongs, MPI_LONG_LONG);
    EVERY(llongs, MPI_LONG_LONG_INT);
    EVERY(ullongs, MPI_UNSIGNED_LONG_LONG);
    EVERY(aints, MPI_AINT);
    EVERY(offsets, MPI_OFFSET);
    EVERY(mpi_counts, MPI_COUNT);
    EVERY(i8, MPI_INT8_T);
    EVERY(i16, MPI_INT16_T);
    EVERY(i32, MPI_INT32_T);
    EVERY(i64, MPI_INT64_T);
    EVERY(u8, MPI_UINT8_T);
    EVERY(u16, MPI_UINT16_T);
    EVERY(u32, MPI_UINT32_T);
    EVERY(u64, MPI_UINT64_T);
    FLOATING(floats, MPI_FLOAT);
    FLOATING(doubles, MPI_DOUBLE);
    FLOATING(ldoubles, MPI_LONG_DOUBLE);
    STEP("MPI_C_BOOL");
    bools("MPI_C_BOOL", MPI_C_BOOL, 4, 6);
    STEP("MPI_BYTE");
    uchars("MPI_BYTE", MPI_BYTE, 7, 9);
    STEP("complex");
    fcomplex("MPI_C_FLOAT_COMPLEX", MPI_C_FLOAT_COMPLEX);
    fcomplex("MPI_C_COMPLEX", MPI_C_COMPLEX);
    dcomplex("MPI_C_DOUBLE_COMPLEX", MPI_C_DOUBLE_COMPLEX);
    ldcomplex("MPI_C_LONG_DOUBLE_COMPLEX", MPI_C_LONG_DOUBLE_COMPLEX);
    STEP("pairs");
    float_int("MPI_FLOAT_INT", MPI_FLOAT_INT);
    double_int("MPI_DOUBLE_INT", MPI_DOUBLE_INT);
    long_int("MPI_LONG_INT", MPI_LONG_INT);
    two_int("MPI_2INT", MPI_2INT);
    short_int("MPI_SHORT_INT", MPI_SHORT_INT);
    ldouble_int("MPI_LONG_DOUBLE_INT", MPI_LONG_DOUBLE_INT);
    return test_finish();
}
