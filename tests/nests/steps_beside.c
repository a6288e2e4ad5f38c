// Variables that go by a step which is known at run time only, beside the counter.
#include "show.h"
#define N 60
static int a[N * 4], b[N * 4];

static int gather(const int *p, int n, int s)
{
    int sum = 0;
#pragma acc kernels
    for (int i = 0; i < n; i++) { // expect: parallel: reduction + sum
        sum += p[0] - p[1];
        p += s;
    }
    return sum;
}

static void scatter(int *restrict p, int s, const int *restrict q, int t, int n)
{
    int at = 3, from = n - 1;
#pragma acc kernels
    {
        for (int i = 0; i < n; i++) { // expect: versioned: if p i s at
            p[at] = q[from] + i;
            at += s;
            from -= t;
        }
        p[0] += at + from;
        for (int i = n; i > 0; i -= 2) { // expect: versioned: if p
            *p = i;
            p += s + 1;
        }
    }
}

static void rows(int *restrict p, int n, int m, int s, int by)
{
    int last = 0;
#pragma acc kernels
    for (int i = 0; i < n; i++) {
        int k = i;
        for (int j = 0; j < m; j++) {
            p[i * m + j] = k;
            k += s * by - 1;
        }
        last += k;
    }
    p[0] += last;
}

// The counter goes by such a step, too.
static int folded(int *restrict p, const int *restrict q, int n, int s, int t)
{
    int k = n;
    long i;
#pragma acc kernels copy(p[0:n]) copyin(q[0:n])
    for (i = 0; i < n; i += s) { // expect: sequential: bound
        k -= t;
        p[i] = q[k];
    }
    int j, sum = 0;
    k = n;
#pragma acc kernels copy(p[0:n]) copyin(q[0:n])
    for (j = 2; j < n; j += s) { // expect: parallel: reduction + sum
        k -= t;
        sum += p[j] * q[k];
    }
    return 100 * sum + 10 * j + k;
}

int main(void)
{
    fill(a, N * 4, 41);
    fill(b, N * 4, 42);
    printf("%d %d %d\n", gather(a, N, 3), gather(a + 3 * N, N, -2), gather(a, N, 0));
    scatter(a, 2, b, 1, N);
    scatter(a, 0, b, 1, N);
    show("a", a, N * 4);
    rows(b, 12, 10, 5, -3);
    printf("%d %d %d\n", folded(a, b, N, 3, 2), folded(a, b, N, N, 1), folded(a, b, 0, 0, 5));
    show("b", b, N * 4);
}
