// Globals on the device through `declare`: a table that stays there, a counter that every call changes, and a routine that reads both.
#include <stdio.h>

enum { SIZE = 256 };

static unsigned table[SIZE];
#pragma acc declare create(table)

static int calls;
#pragma acc declare create(calls)

#pragma acc routine seq
static unsigned checksum(const char *text, int n)
{
    unsigned crc = ~0u;
    for (int i = 0; i < n; i++)
        crc = crc >> 8 ^ table[(crc ^ (unsigned char)text[i]) % SIZE];
#pragma acc atomic
    calls++;
    return ~crc;
}

int main(void)
{
    static const char lines[4][12] = {"123456789", "accrue", "OpenACC", ""};
    unsigned sums[4];
#pragma acc parallel loop present(table)
    for (int i = 0; i < SIZE; i++) {
        unsigned c = i;
#pragma acc loop seq
        for (int bit = 0; bit < 8; bit++)
            c = c & 1 ? 0xedb88320u ^ c >> 1 : c >> 1;
        table[i] = c;
    }
#pragma acc update device(calls)
#pragma acc parallel loop copyin(lines) copyout(sums)
    for (int i = 0; i < 4; i++) {
        int n = 0;
        while (lines[i][n])
            n++;
        sums[i] = checksum(lines[i], n);
    }
#pragma acc update self(calls)
    for (int i = 0; i < 4; i++)
        printf("%08x %s\n", sums[i], lines[i]);
    printf("%d calls\n", calls);
    return 0;
}
