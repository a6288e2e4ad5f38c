// Which iteration wrote the scalar last is known when all have been executed.
#include "show.h"
#define N 200
static int a[N], b[N];

int main(void)
{
    int t = -1;
    fill(b, N, 52);
#pragma acc kernels
    for (int i = 0; i < N; i++) { // expect: sequential: scalar t
        a[i] = b[i] + 1;
        if (b[i] % 7 == 3)
            t = b[i];
    }
    printf("%d\n", t);
    show("a", a, N);
}
