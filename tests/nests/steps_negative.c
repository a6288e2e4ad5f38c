// Loops that go down.
#include "show.h"
#define N 200
static int a[N], b[N];

int main(void)
{
    fill(a, N, 61);
    fill(b, N, 62);
#pragma acc kernels
    {
        for (int i = N - 1; i >= 0; i--) // expect: parallel
            a[i] = b[N - 1 - i] + i;
        for (int i = N - 2; i >= 0; i--) // expect: sequential: carried a, distance 1
            a[i] = a[i + 1] + b[i];
        for (int i = N; i-- > 2;) // expect: sequential: carried b, distance 2
            b[i] = b[i - 2] + 1;
        for (int i = N - 1; i > 3; i -= 3) // expect: parallel
            b[i] = b[i - 1] + b[i - 2];
    }
    show("a", a, N);
    show("b", b, N);
}
