// Unsigned counters that go by more than one.
#include "show.h"
#define N 240
static int a[N], b[N];

static void to_symbol(unsigned n)
{
#pragma acc kernels
    {
        for (unsigned i = 0; i < n; i += 2) // expect: parallel
            a[i] = a[i + 1] + 3;
        for (unsigned i = 0; i < n; i += 4) { // expect: parallel
            a[i] = b[i] - 1;
            b[i] = a[i + 1];
        }
        for (unsigned i = 4; i < n; i += 2) // expect: sequential: carried a, distance 2
            a[i] = a[i - 4] + 1;
        for (unsigned i = 3; i < n; i += 8) // expect: parallel
            a[i] = a[i - 3] + a[i + 1];
        unsigned i;
        for (i = 1; i < n; i += 2) // expect: parallel
            b[i] = i;
        b[0] = i;
    }
}

int main(void)
{
    fill(a, N, 26);
    fill(b, N, 27);
    to_symbol(N - 9);
    to_symbol(0);
    to_symbol(1);
#pragma acc kernels
    {
        for (unsigned i = 1; i < 199u; i += 2) // expect: parallel
            a[i] = a[i - 1] + 1;
        for (unsigned i = 2; i < 198u; i += 3) { // expect: parallel
            a[i] = b[i] + 1;
            a[i + 1] = b[i] + 2;
            a[i + 2] = a[i] + 3;
        }
        for (unsigned i = 3; i <= 198u; i += 3) // expect: sequential: carried a, distance 1
            a[i] = a[i - 3] + b[i];
    }
    show("a", a, N);
    show("b", b, N);
}
