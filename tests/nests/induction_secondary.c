// A second variable moves with the counter.
#include "show.h"
#define N 200
static int a[2 * N + 2], b[2 * N + 2];

int main(void)
{
    int k = 0, m = 0;
    fill(b, 2 * N + 2, 57);
#pragma acc kernels
    {
        for (int i = 0; i < N; i++) { // expect: parallel
            k += 2;
            a[k] = b[k - 1] + i;
        }
        for (int i = 0; i < N - 1; i++) { // expect: sequential: carried b, distance 2
            b[m] = b[m + 4] + 1;
            m += 2;
        }
    }
    show("a", a, 2 * N + 2);
    show("b", b, 2 * N + 2);
    printf("%d %d\n", k, m);
}
