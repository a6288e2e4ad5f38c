// options: -fwrapv
// With `-fwrapv`, signed integers wrap around: a step may lead past the bound, and `i + k` be less than `i`.
#include "show.h"
#define N 200
static int a[N], b[N];

static void along(int *restrict p, const int *restrict q, int n, int k)
{
#pragma acc kernels copy(p[0 : N]) copyin(q[0 : N])
    {
        for (int i = 0; i < n; i++) // expect: parallel
            p[i] = q[i] + 1;
        for (int i = 1; i < n; i++) // expect: sequential: carried p, distance 1
            p[i] = p[i - 1] + 1;
        for (long i = k; i < n; i++) // expect: parallel
            p[i] = q[i] + 2;
        for (int i = k; i < n; i += 3) // expect: sequential: scalar i
            p[i] = q[i] * 3;
        for (int i = n; i > k; i -= 2) // expect: sequential: scalar i
            p[i] = q[i] * 5;
        for (long i = k; i < n; i += 4) // expect: sequential: scalar i
            p[i] = q[i] * 7;
        for (int i = 0; i < n; i++) // expect: sequential: unknown-subscript p
            p[i + k] = q[i] + 3;
        for (int i = 0; i < N / 2; i++) // expect: parallel
            p[2 * i + 1] = q[i] + 3;
        for (int i = 0; i < N; i += 2) // expect: parallel
            a[i] = a[i + 1] + k;
    }
}

int main(void)
{
    fill(a, N, 132);
    fill(b, N, 133);
    along(b, a, N - 4, 4);
    show("a", a, N);
    show("b", b, N);
}
