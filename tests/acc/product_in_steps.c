/* Products that an iteration multiplies by several factors, the old value on either side. Small powers are exact. */
#include <stdio.h>

enum { N = 37 };

static double left(int n, const int *a)
{
    double r = 1;
#pragma acc parallel loop copyin(a[0 : n]) reduction(* : r)
    for (int i = 0; i < n; i++) {
        r = r * (a[i] > 0 ? 2 : 1);
        r = (a[i] % 5 == 3 ? 0.5 : 1) * r;
    }
    return r;
}

static double right(int n, const int *a)
{
    double r = 3;
#pragma acc parallel loop copyin(a[0 : n]) reduction(* : r)
    for (int i = 0; i < n; i++) {
        r = (a[i] > 0 ? 2 : 1) * r;
        r = r * (a[i] % 5 == 3 ? 0.5 : 1);
        r = (a[i] % 7 == 2 ? 4 : 1) * r;
    }
    return r;
}

static float narrow(int n, const int *a)
{
    float r = 1;
    unsigned short i;
#pragma acc parallel loop copyin(a[0 : n]) reduction(* : r)
    for (i = 0; i < n; i++) {
        r *= a[i] > 0 ? 2 : 1;
        r = ((i << 2) % 5 == 3 ? 0.5f : 1) * r;
    }
    return r;
}

static double square(int n, const double *x)
{
    double r = 1;
#pragma acc serial loop seq copyin(x[0 : n]) copy(r)
    for (int i = 0; i < n; i++)
        r = r * r * x[i];
    return r;
}

int main(void)
{
    int a[N];
    double x[N], first = 1, second = 3, squares = 1;
    float third = 1;
    for (int i = 0; i < N; i++) {
        a[i] = i * 7 % 11 - 4;
        x[i] = i % 2 ? 2 : 0.25;
    }
    for (int i = 0; i < N; i++) {
        first *= (a[i] > 0 ? 2 : 1) * (a[i] % 5 == 3 ? 0.5 : 1);
        second *= (a[i] > 0 ? 2 : 1) * (a[i] % 5 == 3 ? 0.5 : 1) * (a[i] % 7 == 2 ? 4 : 1);
        third *= (a[i] > 0 ? 2 : 1) * ((i << 2) % 5 == 3 ? 0.5f : 1);
    }
    for (int i = 0; i < 6; i++)
        squares = squares * squares * x[i];
    int wrong = left(N, a) != first || right(N, a) != second || narrow(N, a) != third || square(6, x) != squares;
    for (int n = 0; n < 9; n++) {
        double expected = 1;
        for (int i = 0; i < n; i++)
            expected *= (a[i] > 0 ? 2 : 1) * (a[i] % 5 == 3 ? 0.5 : 1);
        wrong += left(n, a) != expected;
    }
    printf("%s\n", wrong ? "wrong" : "right");
    return wrong;
}
