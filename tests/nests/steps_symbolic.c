// A step that is known at run time is positive, or the loop would not end.
#include "show.h"
#define N 200
static int a[N], b[N];

static void every(int n, int s)
{
#pragma acc kernels
    for (int i = 0; i < n; i += s) // expect: sequential: unknown-subscript a
        a[i] = b[i] + s;
}

static void skip(int n, int s)
{
#pragma acc kernels
    for (int i = s; i < n; i += s) // expect: sequential: unknown-subscript a
        a[i] = a[i - s] + 1;
}

int main(void)
{
    fill(b, N, 63);
    every(N, 3);
    every(N, 1);
    skip(N, 4);
    show("a", a, N);
}
