/* MPI_Pack and MPI_Unpack: piece by piece and of derived types, and packed data through a message. */
#include "../test.h"

int main(int argc, char **argv) {
    char buffer[4096];
    int at = 0, size, i, numbers[10], got[20];
    double d[3] = {1.5, -2.25, 1e300}, e[3];
    MPI_Datatype vector;
    test_start(&argc, &argv);
    for (i = 0; i < 10; i++) numbers[i] = i * i - 5;

    STEP("one after the other");
    MUST(MPI_Pack(numbers, 10, MPI_INT, buffer, sizeof buffer, &at, MPI_COMM_WORLD));
    MUST(MPI_Pack_size(10, MPI_INT, MPI_COMM_WORLD, &size));
    CHECK(at > 0 && at <= size, "position %d after packing, pack_size %d", at, size);
    MUST(MPI_Pack("text", 5, MPI_CHAR, buffer, sizeof buffer, &at, MPI_COMM_WORLD));
    MUST(MPI_Pack(d, 3, MPI_DOUBLE, buffer, sizeof buffer, &at, MPI_COMM_WORLD));
    size = at, at = 0;
    memset(got, 0, sizeof got);
    MUST(MPI_Unpack(buffer, size, &at, got, 4, MPI_INT, MPI_COMM_WORLD));
    MUST(MPI_Unpack(buffer, size, &at, got + 4, 6, MPI_INT, MPI_COMM_WORLD));
    for (i = 0; i < 10; i++) EQUAL("int", numbers[i], got[i]);
    {
        char text[5] = "";
        MUST(MPI_Unpack(buffer, size, &at, text, 5, MPI_CHAR, MPI_COMM_WORLD));
        SAME_TEXT("text", "text", text);
    }
    MUST(MPI_Unpack(buffer, size, &at, e, 3, MPI_DOUBLE, MPI_COMM_WORLD));
    CHECK(memcmp(d, e, sizeof d) == 0, "doubles differ");
    EQUAL("all unpacked", size, at);

    STEP("through a message");
    {
        char received[4096];
        MPI_Status status;
        MUST(MPI_Sendrecv(buffer, size, MPI_PACKED, (test_rank + 1) % test_size, 1, received, sizeof received, MPI_PACKED,
                          MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &status));
        CHECK_STATUS("packed", &status, (test_rank + test_size - 1) % test_size, 1, MPI_PACKED, size);
        at = 0;
        MUST(MPI_Unpack(received, size, &at, got, 10, MPI_INT, MPI_COMM_WORLD));
        EQUAL("tenth", 76, got[9]);
    }

    STEP("derived");
    MUST(MPI_Type_vector(5, 1, 2, MPI_INT, &vector));
    MUST(MPI_Type_commit(&vector));
    for (i = 0; i < 20; i++) got[i] = i;
    at = 0;
    MUST(MPI_Pack(got, 2, vector, buffer, sizeof buffer, &at, MPI_COMM_WORLD));
    size = at, at = 0;
    MUST(MPI_Unpack(buffer, size, &at, numbers, 10, MPI_INT, MPI_COMM_WORLD));
    /* The second element begins after the extent of nine ints. */
    for (i = 0; i < 10; i++) EQUAL("packed vector", i < 5 ? 2 * i : 9 + 2 * (i - 5), numbers[i]);
    for (i = 0; i < 20; i++) got[i] = -1;
    at = 0;
    MUST(MPI_Unpack(buffer, size, &at, got, 2, vector, MPI_COMM_WORLD));
    for (i = 0; i < 18; i++) {
        int inside = i < 9 ? i % 2 == 0 : (i - 9) % 2 == 0;
        EQUAL("unpacked vector", inside ? i : -1, got[i]);
    }
    MUST(MPI_Type_free(&vector));

    return test_finish();
}
