// Counters of fewer bits than `int`: they count where their bound keeps them from wrapping around.
#include "show.h"
#define N 128
static int a[N], b[2 * N];
static unsigned char image[64][96];

static void bounded(int n)
{
    unsigned char kept;
#pragma acc kernels
    {
        for (unsigned char c = 0; c < 100; c++) // expect: parallel
            a[c] = a[c] * 3 + c;
        for (unsigned short s = 5; s <= 120; s += 5) // expect: parallel
            a[s] = a[s] - s;
        for (signed char c = 0; c < 127; c++) // expect: parallel
            b[c] = a[c] + 1;
        for (short s = N - 1; s >= 0; s--) // expect: parallel
            b[s] = b[s] * 2 + s;
        for (unsigned char y = 0; y < 64; y++) // expect: parallel: private x
            for (unsigned char x = 0; x < 96; x++) // expect: parallel
                image[y][x] = (unsigned char)(y * 3 + x);
        for (kept = 1; kept < 90; kept += 2) // expect: parallel
            b[kept] += kept;
        for (unsigned char c = 0; c < 200; c++) // expect: sequential: scalar c
            b[c] = b[c] + c;
        for (unsigned char c = 0; c < n; c++) // expect: sequential: scalar c
            b[c] = b[c] - 1;
        for (signed char c = -100; c < 100; c++) // expect: parallel
            b[c + 100] += c;
        for (unsigned char c = 0; c < 100; c++) { // expect: sequential: scalar c
            b[c] = b[c] * 5;
            if (a[c] & 1)
                c += 2;
        }
        for (unsigned char c = 1; c < 100; c *= 2) // expect: sequential: scalar c
            b[c] = b[c] + c;
    }
    printf("%d\n", kept);
}

// The inner loop would count if the outer number were natural, which it is not.
static void around(int n)
{
    unsigned char outer = 3;
#pragma acc kernels
    for (int i = 0; i < n; i++) { // expect: sequential: scalar outer
        for (signed char inner = 0; inner < (signed char)outer; inner++) // expect: parallel
            b[inner] += outer;
        outer = (unsigned char)(outer * 7);
    }
    printf("%d\n", outer);
}

int main(void)
{
    fill(a, N, 7);
    fill(b, 2 * N, 8);
    bounded(N);
    around(20);
    int sum = 0;
    for (int y = 0; y < 64; y++)
        for (int x = 0; x < 96; x++)
            sum = sum * 5 + image[y][x];
    printf("%d\n", sum);
    show("a", a, N);
    show("b", b, 2 * N);
}
