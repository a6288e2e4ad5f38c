// A `do` loop is executed once at least.
#include "show.h"
#define N 200
static int a[N], b[N];

static void at_least_once(int n)
{
    int i = 0;
#pragma acc kernels
    do { // expect: parallel
        a[i] = b[i] + n;
        i++;
    } while (i < n);
    printf("%d\n", i);
}

int main(void)
{
    fill(b, N, 70);
    at_least_once(N);
    at_least_once(-5);
    show("a", a, N);
}
