// What an iteration leaves of a sum: all of it, or fewer bits than the variable has.
#include "show.h"
#define N 300
static int a[N];
static short b[N];
static unsigned char c[N];
static long d[N];

int main(void)
{
    fill(a, N, 61);
    for (int i = 0; i < N; i++) {
        b[i] = (short)(i * 113 - 9000);
        c[i] = (unsigned char)(i * 7 + 3);
        d[i] = i * 0x123456789L;
    }
    unsigned low = 1000, wide = 5;
    int half = 70000;
    long word = 1;
    short greatest = -9999, product = 3;
    unsigned char bytes = 3, brightest = 1;
#pragma acc kernels
    {
        for (int i = 0; i < N; i++) // expect: sequential: scalar low
            low = (unsigned char)(low + c[i]);
        for (int i = 0; i < N; i++) // expect: sequential: scalar half
            half = (short)(half + a[i]);
        for (int i = 0; i < N; i++) // expect: sequential: scalar word
            word = (int)(word + d[i]);
        for (int i = 0; i < N; i++) // expect: sequential: scalar wide
            wide = d[i] > wide ? d[i] : wide;
        for (int i = 0; i < N; i++) // expect: parallel: reduction max greatest
            greatest = b[i] > greatest ? b[i] : greatest;
        for (int i = 0; i < N; i++) // expect: sequential: scalar brightest
            brightest = c[i] > brightest ? c[i] : brightest;
        for (int i = 0; i < N; i++) // expect: parallel: reduction + bytes
            bytes += c[i];
        for (int i = 0; i < N; i++) // expect: parallel: reduction * product
            product *= b[i] | 1;
    }
    printf("%u %d %ld %u %d %d %d %d\n", low, half, word, wide, greatest, brightest, bytes, product);
}
