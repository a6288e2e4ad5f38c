// not run: directives are wrong, and the results depend on the order of iterations
// What `independent` and `parallel loop` claim, and what is never the cause of a warning.
#include "show.h"
#define N 200
static int a[N], b[N], count;

static void claims(int *restrict p, int n, int k)
{
#pragma acc parallel copy(p[0 : n])
    {
#pragma acc loop independent gang // warn: independent-refuted
        for (int i = 0; i < n - 3; i++)
            p[i] = p[i + 3] + 1;
#pragma acc loop // warn: independent-refuted
        for (int i = 0; i < n; i++)
            p[5] = i;
    }
#pragma acc kernels loop independent copy(p[0 : n]) // warn: independent-refuted
    for (int i = 4; i < n; i++)
        p[i] += p[i - 4];
#pragma acc parallel loop copy(p[0 : n])
    for (int i = 0; i < n; i++)
        p[i] = p[i + k];
#pragma acc parallel loop copy(p[0 : n])
    for (int i = 0; i < n; i++)
        if (k > n)
            p[0] = i;
#pragma acc parallel loop copy(p[0 : n])
    for (int i = 0; i < n; i++)
        if (i == k)
            p[k] = i;
}

int main(void)
{
    int t = 0, own[4], sum = 0;
    fill(a, N, 141);
    fill(b, N, 142);
#pragma acc parallel loop private(t, own) reduction(+ : sum)
    for (int i = 1; i < N; i++) {
        for (int k = 0; k < 4; k++)
            own[k] = a[i] + k;
        t = own[i & 3] + b[i - 1];
        sum += t;
#pragma acc atomic
        count += t;
    }
#pragma acc parallel num_gangs(N) firstprivate(t)
#pragma acc loop gang
    for (int i = 0; i < N; i++) {
        t = t + i;
        b[i] = t;
    }
#pragma acc parallel loop
    for (int i = 0; i < N / 2; i++)
        a[2 * i] = a[2 * i + 1] + 1;
#pragma acc parallel loop seq
    for (int i = 1; i < N; i++)
        a[i] += a[i - 1];
#pragma acc parallel loop auto
    for (int i = 1; i < N; i++)
        a[i] += a[i - 1];
    claims(a, N, 3);
    show("a", a, N);
    show("b", b, N);
    printf("%d %d\n", sum, count);
}
