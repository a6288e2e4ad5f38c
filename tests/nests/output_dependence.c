// Two iterations write the same element; the later value stays.
#include "show.h"
#define N 200
static int a[N + 1], b[N];

int main(void)
{
    fill(b, N, 11);
#pragma acc kernels
    for (int i = 0; i < N; i++) { // expect: sequential: carried a, distance 1
        a[i] = b[i];
        a[i + 1] = b[i] * 5;
    }
    show("a", a, N + 1);
}
