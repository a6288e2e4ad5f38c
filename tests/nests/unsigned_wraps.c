// An unsigned subscript wraps: adding 4294967295 takes one away, and a byte starts again behind 255.
#include "show.h"
#define N 300
static int a[N], b[N], c[N];

int main(void)
{
    fill(a, N, 66);
#pragma acc kernels
    {
        for (unsigned i = 1; i < N; i++) // expect: sequential: carried a, distance 1
            a[i] = a[i + 4294967295u] + 1;
        for (int i = 0; i < N; i++) // expect: sequential: unknown-subscript b
            b[(unsigned char)i] = a[i];
        for (unsigned i = 4294967290u; i != 100u; i++) // expect: sequential: unknown-subscript c
            c[i + 6u] = a[i + 6u] * 2;
    }
    show("a", a, N);
    show("b", b, N);
    show("c", c, N);
}
