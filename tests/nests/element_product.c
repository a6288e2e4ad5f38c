// Products onto elements that several iterations reach: one that is written as a sum is no atomic sum.
#include "show.h"
#define N 40
static unsigned a[N + 3], b[N], c[N + 3], d[4], e[N], f[N];

int main(void)
{
    for (int i = 0; i < N + 3; i++)
        a[i] = c[i] = 2 * i + 1;
    for (int i = 0; i < N; i++)
        b[i] = i + 2, e[i] = i % 4, f[i] = 0;
    for (int i = 0; i < 4; i++)
        d[i] = i;
#pragma acc kernels
    {
        for (int i = 0; i < N; i++) { // expect: parallel: reduction * a
            a[i] += a[i] * 1;
            a[i + 3] *= b[i];
        }
        for (int i = 0; i < N; i++) { // expect: parallel: reduction * c
            c[i] *= 3;
            c[i + 3] *= b[i];
        }
        for (int i = 0; i < N; i++) { // expect: sequential: unknown-subscript d
            f[i] = e[d[e[i]] % N];
            d[e[i]] += 1;
        }
        for (int i = 0; i < N; i++) { // expect: sequential: unknown-subscript d
            if (d[e[i]] % 3 == 1)
                f[i]++;
            d[e[i]] += 1;
        }
    }
    for (int i = 0; i < N + 3; i++)
        printf("%u %u\n", a[i], c[i]);
    for (int i = 0; i < N; i++)
        printf("%u\n", f[i]);
}
