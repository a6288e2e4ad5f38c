// Factors that are counters, or sums of them.
#include "show.h"
#define N 12
static int a[N];

int main(void)
{
    unsigned long f = 1;
    unsigned p = 1, s = 3, q = 2;
#pragma acc kernels
    {
        for (int i = 1; i < N; i++) // expect: parallel: reduction * f
            f *= i;
        for (int i = 20; i > 0; i -= 3) // expect: parallel: reduction * p
            p = p * (2 * i + 1);
        for (int i = 0; i < N; i++) // expect: parallel: reduction * s
            s += s * i;
        for (unsigned i = 0; i < N; i++) // expect: sequential: scalar q
            q = q * i + 1;
        for (int i = 0; i < N; i++) // expect: parallel
            a[i] = i;
    }
    printf("%lu %u %u %u\n", f, p, s, q);
    show("a", a, N);
}
