// What an iteration leaves of a sum: all of it, or fewer bits than the variable has.
#include "show.h"
#define N 300
static int a[N];
static short b[N];
static unsigned char c[N];
static long d[N];
static unsigned short e[N];
static unsigned char f[N];
static signed char g[N];

int main(void)
{
    fill(a, N, 61);
    for (int i = 0; i < N; i++) {
        b[i] = (short)(i * 113 - 9000);
        c[i] = (unsigned char)(i * 7 + 3);
        d[i] = i * 0x123456789L;
        e[i] = (unsigned short)(i * 1201);
        f[i] = (unsigned char)(i * 13);
        g[i] = (signed char)(i * 11 - 100);
    }
    unsigned low = 1000, wide = 5;
    int half = 70000;
    long word = 1;
    short greatest = -9999, product = 3;
    unsigned char bytes = 3, brightest = 1, darkest = 200, brighter = 2, mixed = 4, cut = 9;
    unsigned short widest = 0;
    signed char least = -128;
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
        for (int i = 0; i < N; i++) // expect: parallel: reduction max brightest
            brightest = c[i] > brightest ? c[i] : brightest;
        for (int i = 0; i < N; i++) // expect: parallel: reduction min darkest
            if (c[i] < darkest)
                darkest = c[i];
        for (int i = 0; i < N; i++) // expect: parallel: reduction max widest
            if (e[i] > widest)
                widest = e[i];
        for (int i = 0; i < N; i++) { // expect: parallel: reduction max brighter
            brighter = c[i] > brighter ? c[i] : brighter;
            if (f[i] > brighter)
                brighter = f[i];
        }
        for (int i = 0; i < N; i++) // expect: sequential: scalar mixed
            mixed = c[i] > (signed char)mixed ? c[i] : mixed;
        for (int i = 0; i < N; i++) // expect: sequential: scalar cut
            if (a[i] > cut)
                cut = a[i];
        for (int i = 0; i < N; i++) // expect: parallel: reduction max least
            if (g[i] > least)
                least = g[i];
        for (int i = 0; i < N; i++) // expect: parallel: reduction + bytes
            bytes += c[i];
        for (int i = 0; i < N; i++) // expect: parallel: reduction * product
            product *= b[i] | 1;
    }
    printf("%u %d %ld %u %d %d %d %d\n", low, half, word, wide, greatest, brightest, bytes, product);
    printf("%d %d %d %d %d %d\n", darkest, widest, brighter, mixed, cut, least);
}
