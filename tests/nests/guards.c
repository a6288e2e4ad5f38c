// Guards within the loop part what is written from what is read.
#include "show.h"
#define N 200
static int a[N];

int main(void)
{
    fill(a, N, 17);
#pragma acc kernels
    {
        for (int i = 0; i < N; i++) // expect: parallel
            if (i < N / 2)
                a[i] = a[i + N / 2] + 1;
        for (int i = 0; i < N; i++) // expect: sequential: carried a, distance 1
            if (i <= N / 2)
                a[i] = a[N - 1 - i] + 1;
        for (int i = 0; i < N; i++) { // expect: parallel
            if (i == 5)
                continue;
            a[i] = a[5] + 1;
        }
    }
    show("a", a, N);
}
