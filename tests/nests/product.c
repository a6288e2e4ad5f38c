// Products and bits.
#include "show.h"
#define N 200
static int a[N];

int main(void)
{
    unsigned p = 1, all = ~0u, any = 0, odd = 0;
    double f = 1;
    fill(a, N, 80);
#pragma acc kernels
    {
        for (int i = 0; i < N; i++) // expect: parallel: reduction * p
            p *= (unsigned)a[i] | 1u;
        for (int i = 0; i < N; i++) { // expect: parallel: reduction & all, reduction | any, reduction ^ odd
            all &= (unsigned)a[i] | 0xf0u;
            any |= (unsigned)a[i] & 0xff00u;
            odd ^= (unsigned)a[i];
        }
        for (int i = 0; i < N; i++) // expect: parallel: reduction * f
            f = f * (i % 50 == 7 ? 2 : 1);
    }
    printf("%u %u %u %u %g\n", p, all, any, odd, f);
}
