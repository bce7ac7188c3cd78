/* The external32 representation, whose bytes are prescribed: big-endian, without padding. */
#include "../test.h"

int main(int argc, char **argv) {
    char buffer[64];
    double d[1] = {1.5}, e[1];
    MPI_Datatype record, list[2];
    MPI_Aint place, bytes, where[2];
    test_start(&argc, &argv);
    STEP("external32");
    {
        static const unsigned char expected[] = {0x01, 0x02, 0x03, 0x04, 0xff, 0xff, 0xff, 0xfe, 0x3f, 0xf8, 0, 0, 0, 0,
                                                 0,    0,    0x12, 0x34};
        int words[2] = {0x01020304, -2};
        short s = 0x1234;
        place = 0;
        MUST(MPI_Pack_external_size("external32", 2, MPI_INT, &bytes));
        EQUAL("two ints", 8, bytes);
        MUST(MPI_Pack_external("external32", words, 2, MPI_INT, buffer, sizeof buffer, &place));
        MUST(MPI_Pack_external("external32", d, 1, MPI_DOUBLE, buffer, sizeof buffer, &place));
        MUST(MPI_Pack_external("external32", &s, 1, MPI_SHORT, buffer, sizeof buffer, &place));
        EQUAL("bytes", sizeof expected, place);
        CHECK(memcmp(buffer, expected, sizeof expected) == 0, "external32 bytes are not as prescribed");
        place = 0, words[0] = words[1] = 0, e[0] = 0, s = 0;
        MUST(MPI_Unpack_external("external32", buffer, sizeof expected, &place, words, 2, MPI_INT));
        MUST(MPI_Unpack_external("external32", buffer, sizeof expected, &place, e, 1, MPI_DOUBLE));
        MUST(MPI_Unpack_external("external32", buffer, sizeof expected, &place, &s, 1, MPI_SHORT));
        CHECK(words[0] == 0x01020304 && words[1] == -2 && e[0] == 1.5 && s == 0x1234, "external32 round trip");
        MUST(MPI_Pack_external_size("external32", 1, MPI_LONG_LONG, &bytes));
        EQUAL("a long long", 8, bytes);
    }
    STEP("external32 of a structure");
    {
        struct {
            char c;
            int n;
        } in = {'x', 77}, out = {0, 0};
        int lengths[2] = {1, 1};
        list[0] = MPI_CHAR, list[1] = MPI_INT;
        where[0] = 0, where[1] = (char *)&in.n - (char *)&in;
        MUST(MPI_Type_create_struct(2, lengths, where, list, &record));
        MUST(MPI_Type_commit(&record));
        place = 0;
        MUST(MPI_Pack_external("external32", &in, 1, record, buffer, sizeof buffer, &place));
        EQUAL("bytes", 5, place);
        place = 0;
        MUST(MPI_Unpack_external("external32", buffer, 5, &place, &out, 1, record));
        CHECK(out.c == 'x' && out.n == 77, "round trip");
        MUST(MPI_Type_free(&record));
    }
    return test_finish();
}
