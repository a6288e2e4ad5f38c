// Blocks of `malloc` are apart, whatever the subscripts, as long as the pointers lead nowhere else.
#include "show.h"
#include <stdlib.h>
#define N 200
static int g[N];

static int *at(int *p)
{
    return p;
}

static void beside_parameters(int n, int *a, const int *x)
{
    int *index = malloc((size_t)n * sizeof *index);
    for (int i = 0; i < n; i++)
        index[i] = (i * 7 + 3) % n;
    int *b = (int *)calloc((size_t)n, sizeof *b);
#pragma acc kernels copyin(x[0 : n]) copyin(g)
    for (int i = 0; i < n; i++) // expect: parallel
        b[i] = x[index[i]] + g[index[n - 1 - i]];
#pragma acc kernels copy(a[0 : n]) copyin(x[0 : n])
    for (int i = 0; i < n; i++) // expect: sequential: alias x
        a[i] = x[index[i]] + b[i];
    free(index);
    free(b);
}

static void other_ways(int n, int *x)
{
    int *p = malloc((size_t)n * sizeof *p), *q = p, *r = at(p), *s = NULL;
    if (n > 10)
        s = x;
    else
        s = malloc((size_t)n * sizeof *s);
    for (int i = 0; i < n; i++)
        p[i] = i * i;
#pragma acc kernels copy(p[0 : n])
    {
        for (int i = 0; i < n; i++) // expect: versioned: if p q
            p[i] = q[n - 1 - i] + 1;
        for (int i = 0; i < n; i++) // expect: versioned: if p r
            p[i] = r[n - 1 - i] + 2;
    }
#pragma acc kernels copy(x[0 : n])
    for (int i = 0; i < n; i++) // expect: versioned: if s x
        x[i] = s[n - 1 - i] * 3;
    show("p", p, n);
    free(p);
}

static void one_by_one(int n)
{
    int *before = NULL;
    for (int t = 0; t < 3; t++) {
        int *now = malloc((size_t)n * sizeof *now);
        for (int i = 0; i < n; i++)
            now[i] = t + i;
        if (t > 0) {
#pragma acc kernels copy(now[0 : n]) copyin(before[0 : n])
            for (int i = 0; i < n; i++) // expect: versioned: if now before
                now[i] += before[n - 1 - i];
            show("now", now, n);
        }
        free(before);
        before = now;
    }
    free(before);
}

int main(void)
{
    int *p = malloc(N * sizeof *p), *q;
    if ((q = malloc(N * sizeof *q)) == NULL)
        return 1;
    fill(q, N, 46);
    fill(g, N, 47);
#pragma acc kernels
    for (int i = 0; i < N; i++) // expect: parallel
        p[i] = q[i] * 3;
    show("p", p, N);
    beside_parameters(N, p, q);
    other_ways(N, p);
    show("p", p, N);
    one_by_one(N);
    free(p);
    free(q);
}
