// Checks and output in a loop of `kernels`: an assertion, a function of the program that does not return, and
// `printf` leave the bounds of the loop and the pointers as they are.
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#define N 12

static int *table;

_Noreturn static void give_up(const char *why, int at)
{
    printf("%s at %d\n", why, at);
    abort();
}

static void check(int *p, const int *restrict q, int n)
{
#pragma acc kernels
    for (int i = 0; i < n; i++) {
        assert(q[i] >= 0);
        p[i] = q[i] + 1;
    }
#pragma acc kernels
    for (int i = 0; i < n; i++) {
        if (p[i] != i + 1)
            give_up("wrong", i);
        table[n - 1 - i] = 3 * p[i];
    }
#pragma acc kernels
    for (int i = 0; i < n; i++) {
        if (table[i] % 9 == 0)
            printf("%d: %d\n", i, table[i]);
        p[i] += table[i];
    }
}

int main(void)
{
    int a[N], b[N], sum = 0;
    table = calloc(N, sizeof *table);
    for (int i = 0; i < N; i++)
        b[i] = i;
    check(a, b, N);
    for (int i = 0; i < N; i++)
        sum = 3 * sum + a[i];
    printf("%d\n", sum);
    free(table);
}
