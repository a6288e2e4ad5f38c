// A bound at the end of its type: the counter may never pass it, and a product of bounds wraps.
#include "show.h"
#define N 300
static int a[N], b[N];

static void up_to(unsigned char last, unsigned count, unsigned factor)
{
#pragma acc kernels
    {
        for (unsigned i = 0; i <= last; i++) // expect: parallel
            a[i] = b[i] + 1;
        for (unsigned i = 0; i < count * factor; i++) // expect: parallel
            b[i] = a[i] * 2;
    }
}

int main(void)
{
    fill(b, N, 68);
    up_to(255, 2147483748u, 2u);
    up_to(0, 3u, 1431655795u);
    show("a", a, N);
    show("b", b, N);
}
