/* MPI_Type_get_envelope and get_contents give back what a constructor was called with; names; and
 * get_count, get_elements and set_elements on statuses. */
#include "../test.h"

static int integers[16], ni, na, nd, combiner;
static MPI_Aint addresses[16];
static MPI_Datatype inside[16];

static void look(const char *what, MPI_Datatype type, int kind, int n, int a, int d) {
    STEP(what);
    MUST(MPI_Type_get_envelope(type, &ni, &na, &nd, &combiner));
    EQUAL("combiner", kind, combiner);
    EQUAL("integers", n, ni);
    EQUAL("addresses", a, na);
    EQUAL("datatypes", d, nd);
    if (kind != MPI_COMBINER_NAMED && ni <= 16 && na <= 16 && nd <= 16)
        MUST(MPI_Type_get_contents(type, ni, na, nd, integers, addresses, inside));
}

static void derived(void) {
    MPI_Datatype t, u, kept, list[2];
    int lengths[2] = {2, 3}, places[2] = {4, 0}, sizes[2] = {4, 5}, sub[2] = {2, 2}, start[2] = {1, 3};
    MPI_Aint at[2] = {40, 0};
    look("named", MPI_DOUBLE, MPI_COMBINER_NAMED, 0, 0, 0);
    MUST(MPI_Type_contiguous(7, MPI_INT, &t));
    look("contiguous", t, MPI_COMBINER_CONTIGUOUS, 1, 0, 1);
    EQUAL("count", 7, integers[0]);
    CHECK(inside[0] == MPI_INT, "not MPI_INT inside");
    MUST(MPI_Type_vector(3, 2, -5, t, &u));
    look("vector", u, MPI_COMBINER_VECTOR, 3, 0, 1);
    EQUAL("count", 3, integers[0]);
    EQUAL("blocklength", 2, integers[1]);
    EQUAL("stride", -5, integers[2]);
    /* The type inside is a new handle to the same type; it must be freed. */
    kept = inside[0];
    look("inside the vector", kept, MPI_COMBINER_CONTIGUOUS, 1, 0, 1);
    EQUAL("count", 7, integers[0]);
    MUST(MPI_Type_free(&kept));
    MUST(MPI_Type_free(&u));
    MUST(MPI_Type_create_hvector(3, 2, 100, MPI_INT, &u));
    look("hvector", u, MPI_COMBINER_HVECTOR, 2, 1, 1);
    EQUAL("stride", 100, addresses[0]);
    MUST(MPI_Type_free(&u));
    MUST(MPI_Type_indexed(2, lengths, places, MPI_INT, &u));
    look("indexed", u, MPI_COMBINER_INDEXED, 5, 0, 1);
    EQUAL("count", 2, integers[0]);
    EQUAL("second length", 3, integers[2]);
    EQUAL("first place", 4, integers[3]);
    MUST(MPI_Type_free(&u));
    MUST(MPI_Type_create_hindexed(2, lengths, at, MPI_INT, &u));
    look("hindexed", u, MPI_COMBINER_HINDEXED, 3, 2, 1);
    EQUAL("first address", 40, addresses[0]);
    MUST(MPI_Type_free(&u));
    MUST(MPI_Type_create_indexed_block(2, 9, places, MPI_INT, &u));
    look("indexed_block", u, MPI_COMBINER_INDEXED_BLOCK, 4, 0, 1);
    EQUAL("blocklength", 9, integers[1]);
    MUST(MPI_Type_free(&u));
    MUST(MPI_Type_create_hindexed_block(2, 9, at, MPI_INT, &u));
    look("hindexed_block", u, MPI_COMBINER_HINDEXED_BLOCK, 2, 2, 1);
    MUST(MPI_Type_free(&u));
    list[0] = MPI_CHAR, list[1] = t;
    MUST(MPI_Type_create_struct(2, lengths, at, list, &u));
    look("struct", u, MPI_COMBINER_STRUCT, 3, 2, 2);
    CHECK(inside[0] == MPI_CHAR, "not MPI_CHAR inside");
    kept = inside[1];
    look("inside the struct", kept, MPI_COMBINER_CONTIGUOUS, 1, 0, 1);
    MUST(MPI_Type_free(&kept));
    MUST(MPI_Type_free(&u));
    MUST(MPI_Type_create_resized(MPI_INT, -4, 12, &u));
    look("resized", u, MPI_COMBINER_RESIZED, 0, 2, 1);
    EQUAL("lb", -4, addresses[0]);
    EQUAL("extent", 12, addresses[1]);
    MUST(MPI_Type_free(&u));
    MUST(MPI_Type_create_subarray(2, sizes, sub, start, MPI_ORDER_C, MPI_INT, &u));
    look("subarray", u, MPI_COMBINER_SUBARRAY, 8, 0, 1);
    EQUAL("dimensions", 2, integers[0]);
    EQUAL("start", 3, integers[6]);
    EQUAL("order", MPI_ORDER_C, integers[7]);
    MUST(MPI_Type_free(&u));
    MUST(MPI_Type_dup(t, &u));
    look("dup", u, MPI_COMBINER_DUP, 0, 0, 1);
    MUST(MPI_Type_free(&inside[0]));
    MUST(MPI_Type_free(&u));
    MUST(MPI_Type_free(&t));
}

static void names(void) {
    char name[MPI_MAX_OBJECT_NAME];
    int length;
    MPI_Datatype t, u;
    STEP("names");
    MUST(MPI_Type_get_name(MPI_INT, name, &length));
    SAME_TEXT("int", "MPI_INT", name);
    MUST(MPI_Type_get_name(MPI_C_DOUBLE_COMPLEX, name, &length));
    SAME_TEXT("complex", "MPI_C_DOUBLE_COMPLEX", name);
    MUST(MPI_Type_get_name(MPI_2INT, name, &length));
    SAME_TEXT("pair", "MPI_2INT", name);
    MUST(MPI_Type_contiguous(2, MPI_INT, &t));
    MUST(MPI_Type_get_name(t, name, &length));
    SAME_TEXT("none yet", "", name);
    MUST(MPI_Type_set_name(t, "two ints"));
    MUST(MPI_Type_dup(t, &u));
    MUST(MPI_Type_get_name(t, name, &length));
    SAME_TEXT("set", "two ints", name);
    EQUAL("length", 8, length);
    MUST(MPI_Type_free(&t));
    MUST(MPI_Type_free(&u));
}

static void counts(void) {
    MPI_Datatype t, list[2];
    int lengths[2] = {1, 2}, n;
    MPI_Aint at[2] = {0, 8};
    MPI_Count big;
    MPI_Status status;
    STEP("counts");
    list[0] = MPI_INT, list[1] = MPI_DOUBLE;
    MUST(MPI_Type_create_struct(2, lengths, at, list, &t));
    MUST(MPI_Type_commit(&t));
    memset(&status, 0, sizeof status);
    /* Two whole elements and of the third the int and one double: 20 + 20 + 12 bytes, 8 basic elements. */
    MUST(MPI_Status_set_elements(&status, MPI_BYTE, 52));
    MUST(MPI_Get_count(&status, MPI_BYTE, &n));
    EQUAL("bytes", 52, n);
    MUST(MPI_Get_count(&status, t, &n));
    EQUAL("no whole number", MPI_UNDEFINED, n);
    MUST(MPI_Get_elements(&status, t, &n));
    EQUAL("elements", 8, n);
    MUST(MPI_Status_set_elements(&status, MPI_BYTE, 40));
    MUST(MPI_Get_count(&status, t, &n));
    EQUAL("two", 2, n);
    MUST(MPI_Get_elements_x(&status, t, &big));
    EQUAL("elements", 6, big);
    MUST(MPI_Status_set_elements_x(&status, MPI_BYTE, (MPI_Count)1 << 33));
    MUST(MPI_Get_elements_x(&status, MPI_BYTE, &big));
    EQUAL("8 GiB", (long long)1 << 33, big);
    MUST(MPI_Get_elements(&status, MPI_BYTE, &n));
    EQUAL("too many for an int", MPI_UNDEFINED, n);
    MUST(MPI_Status_set_cancelled(&status, 1));
    MUST(MPI_Test_cancelled(&status, &n));
    EQUAL("cancelled", 1, !!n);
    MUST(MPI_Type_free(&t));
    STEP("a type of no bytes");
    MUST(MPI_Type_contiguous(0, MPI_INT, &t));
    MUST(MPI_Type_commit(&t));
    memset(&status, 0, sizeof status);
    MUST(MPI_Status_set_elements(&status, MPI_BYTE, 0));
    MUST(MPI_Get_count(&status, t, &n));
    EQUAL("none", 0, n);
    MUST(MPI_Type_free(&t));
}

int main(int argc, char **argv) {
    test_start(&argc, &argv);
    derived();
    names();
    counts();
    return test_finish();
}
