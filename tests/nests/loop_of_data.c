// How often the loop is executed depends on what it reads.
#include "show.h"
#define N 200
static int a[N], b[N], next[N];

int main(void)
{
    int i = 0, k = 0;
    fill(b, N, 72);
    b[N - 7] = 0;
    for (int j = 0; j < N; j++)
        next[j] = j + 1 + j % 3 < N ? j + 1 + j % 3 : -1;
#pragma acc kernels
    {
        while (b[i] != 0) { // expect: sequential: bound
            a[i] = b[i] + 1;
            i++;
        }
        while (k >= 0) { // expect: sequential: scalar k
            b[k] = k;
            k = next[k];
        }
    }
    show("a", a, N);
    show("b", b, N);
    printf("%d %d\n", i, k);
}
