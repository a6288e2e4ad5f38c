// Every second element, from its neighbours.
#include "show.h"
#define N 201
static int a[N];

int main(void)
{
    fill(a, N, 26);
#pragma acc kernels
    for (int t = 0; t < 3; t++) { // expect: sequential: carried a, distance 1
        for (int i = 1; i < N - 1; i += 2) // expect: parallel
            a[i] = a[i - 1] + a[i + 1];
        for (int i = 2; i < N - 1; i += 2) // expect: parallel
            a[i] = a[i - 1] - a[i + 1];
    }
    show("a", a, N);
}
