// A sign that alternates, and two rows that change places.
#include "show.h"
#define N 200
static int a[N], b[N];

int main(void)
{
    int sign = 1;
    fill(b, N, 56);
#pragma acc kernels
    for (int i = 0; i < N; i++) { // expect: sequential: scan sign
        a[i] = sign * b[i];
        sign = -sign;
    }
    show("a", a, N);
}
