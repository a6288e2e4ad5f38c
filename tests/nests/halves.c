// Quotients of numbers that may be below zero.
#include "show.h"
#define N 200
static int a[N], b[N];

static void reverse(int *p, int n)
{
#pragma acc kernels
    for (int i = 0; i < n / 2; i++) { // expect: parallel
        int t = p[i];
        p[i] = p[n - 1 - i];
        p[n - 1 - i] = t;
    }
}

static void middle(int *p, int n)
{
#pragma acc kernels
    for (int i = 0; i <= n / 2; i++) { // expect: versioned: if p n
        int t = p[i];
        p[i] = p[n - i] + 1;
        p[n - i] = t;
    }
}

static void thirds(int *p, int n)
{
#pragma acc kernels
    {
        for (int i = 0; i < n / 3; i++) // expect: parallel
            p[i] = p[i + n / 3] + p[i + n / 3 * 2];
        for (int i = 0; i < n / 3; i++) // expect: parallel
            p[3 * i] = p[3 * i + n % 3 + 1 - n % 3];
    }
}

int main(void)
{
    fill(a, N, 26);
    fill(b, N, 27);
    reverse(a, N);
    reverse(b, N - 1);
    reverse(b, 1);
    reverse(b, -7);
    thirds(a, N);
    thirds(b, 7);
    thirds(b, -7);
    middle(a, N - 1);
    middle(b, N - 2);
    show("a", a, N);
    show("b", b, N);
}
