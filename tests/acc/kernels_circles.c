/* Loops around nests of `kernels` that are none of the tree any more, because a `goto` stands in them, and others beside them. */
#include <stdio.h>

enum { N = 10 };

static void skip(int *a, int rounds)
{
#pragma acc kernels copy(a[0 : N])
    {
        int w = 0;
        do {
            w++;
#pragma acc loop independent
            for (int i = 0; i < N; i++)
                a[i]++;
        } while (w < 2);
        int v = 0;
        do {
#pragma acc loop independent
            for (int i = 0; i < N; i++) {
                if (v % 3 == 2)
                    goto next;
                for (int k = 0; k < 3; k++)
                    a[i] += k;
            next:;
            }
            v++;
        } while (v < rounds);
    }
}

static void again(int *a, int rounds)
{
#pragma acc kernels copy(a[0 : N])
    {
        int round = 0;
    repeat:
#pragma acc loop independent
        for (int i = 0; i < N; i++)
            a[i] = a[i] * 2 + round;
        if (++round < rounds)
            goto repeat;
        for (int i = 0; i < N; i++)
            a[i] -= 3;
    }
}

int main(void)
{
    int a[N];
    for (int i = 0; i < N; i++)
        a[i] = i * i;
    skip(a, 4);
    again(a, 3);
    skip(a, 1);
    for (int i = 0; i < N; i++)
        printf("%d%c", a[i], i < N - 1 ? ' ' : '\n');
    return 0;
}
