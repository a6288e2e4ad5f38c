// Bounds that one of two values gives, and pointers whose sections follow from them.
#include "show.h"
#define N 100
static int a[N];

static void smaller(int *p, int n, int m)
{
#pragma acc kernels
    for (int i = 0; i < (n < m ? n : m); i++) // expect: parallel
        p[i] = p[i] * 3 + 1;
}

static void chosen(int *p, int n, int m)
{
#pragma acc kernels
    for (int i = 0; i < (n > 5 ? m : n + 1); i++) // expect: parallel
        p[i] = p[i] * 5 + 1;
}

int main(void)
{
    fill(a, N, 125);
    smaller(a, 60, 50);
    smaller(a + 3, 60, 97);
    smaller(a, -1, 3);
    chosen(a + 3, 60, 97);
    chosen(a + 1, 4, 97);
    show("a", a, N);
}
