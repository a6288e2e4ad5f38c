// `continue` leaves an iteration, not the loop.
#include "show.h"
#define N 200
static int a[N], b[N];

int main(void)
{
    int s = 0;
    fill(b, N, 100);
#pragma acc kernels
    for (int i = 0; i < N; i++) { // expect: parallel: reduction + s
        if (b[i] < 0)
            continue;
        a[i] = b[i] * 2;
        if (b[i] % 2)
            continue;
        s += b[i];
    }
    show("a", a, N);
    printf("%d\n", s);
}
