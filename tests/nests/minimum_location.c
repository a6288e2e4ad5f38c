// The place of the first greatest element, and of the last smallest one.
#include "show.h"
#define N 300
static int a[N];

int main(void)
{
    int high = -1, at = -1, low = 1 << 30, where = -1;
    for (int i = 0; i < N; i++)
        a[i] = (i * 37 + 11) % 50;
#pragma acc kernels
    {
        for (int i = 0; i < N; i++) // expect: parallel: reduction max high, last at
            if (a[i] > high) {
                high = a[i];
                at = i;
            }
        for (int i = 0; i < N; i++) // expect: parallel: reduction min low, last where
            if (a[i] <= low) {
                low = a[i];
                where = i;
            }
    }
    printf("%d at %d, %d at %d\n", high, at, low, where);
}
