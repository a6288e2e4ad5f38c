// Headers that compare the truth value of a comparison with zero, also behind a comma.
#include "show.h"
#define N 100
static int a[N];

static inline int truth(int x) { return x != 0; }

static int up(int n)
{
    int i = 0, y = 0;
#pragma acc kernels
    while (y = 3 * i, (i < n) != 0) { // expect: parallel: last y
        a[i] = y + 1;
        i++;
    }
    return y * 1000 + i;
}

static int down(int n)
{
    int i = n - 1;
#pragma acc kernels
    for (; (i >= 0) != 0; i--) // expect: parallel
        a[i] = a[i] * 5 + 1;
    return i;
}

static int opposite(int n)
{
    int i = n, k = 0;
#pragma acc kernels
    for (; (i <= 0) == 0; i--) // expect: parallel
        a[k++] += i;
    return i + k;
}

static int twice(int n)
{
    int i = 0;
#pragma acc kernels
    for (; ((i != n) != 0) != 0; i++) // expect: parallel
        a[i] ^= i;
    return i;
}

static int narrow(int n)
{
    int i = n;
    _Bool more;
#pragma acc kernels
    while (more = i > 0, more) { // expect: parallel: last more
        a[--i] += 7;
    }
    return i + more;
}

// The survey sees through the product, which says nothing about what the header compares.
static int product(int n)
{
    int i = n;
#pragma acc kernels
    for (; (i > 0) * 1 != 0; i--) // expect: sequential: bound
        a[i - 1] += i;
    return i;
}

static int called(int n)
{
    int i = n;
#pragma acc kernels
    for (; truth(i > 0); i--) // expect: parallel
        a[i - 1] *= 3;
    return i;
}

static int behind(int n)
{
    int i = n;
#pragma acc kernels
    do { // expect: parallel
        i--;
        a[i] += 11;
    } while ((i > 0) != 0);
    return i;
}

int main(void)
{
    fill(a, N, 5);
    printf("%d\n", up(N));
    printf("%d\n", down(N));
    printf("%d\n", opposite(N));
    printf("%d\n", twice(N));
    printf("%d\n", narrow(N));
    printf("%d\n", product(N));
    printf("%d\n", called(N));
    printf("%d\n", behind(N));
    show("a", a, N);
}
