// All iterations write the same element.
#include "show.h"
#define N 200
static int a[N], b[N];

int main(void)
{
    fill(b, N, 106);
#pragma acc kernels
    {
        for (int i = 0; i < N; i++) // expect: parallel: last a
            a[5] = b[i];
        for (int i = 0; i < N; i++) { // expect: sequential: carried a, distance 1
            a[6] = a[7] + b[i];
            a[7] = b[i];
        }
    }
    show("a", a, N);
}
