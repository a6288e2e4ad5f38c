// Loops of `kernels` whose levels stand inside each other in an order that no device has, and calls of routines that
// need the level of the loop around them: the level that has no room is not used.
#include <stdio.h>

#pragma acc routine vector
static void multiples(int *to, int n, int factor)
{
#pragma acc loop vector
    for (int j = 0; j < n; j++)
        to[j] = j * factor;
}

int main(void)
{
    int a[20][30], b[20][30];
    long s = 0;
#pragma acc kernels copyout(a) copy(s)
    {
#pragma acc loop independent vector reduction(+ : s)
        for (int i = 0; i < 20; i++) {
#pragma acc loop independent gang reduction(+ : s)
            for (int j = 0; j < 30; j++) {
                a[i][j] = i * j;
                s += i + j;
            }
        }
    }
#pragma acc kernels loop independent gang worker vector copyout(b)
    for (int i = 0; i < 20; i++)
        multiples(b[i], 30, i);
    for (int i = 0; i < 20; i++)
        for (int j = 0; j < 30; j++)
            s += a[i][j] - 2 * b[i][j];
    printf("%ld\n", s);
    return 0;
}
