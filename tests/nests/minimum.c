// Minima and maxima by `if`, by `?:` and by functions of the library.
#include "show.h"
#include <math.h>
#define N 300
static int a[N];
static double d[N];

int main(void)
{
    int low = 1 << 30, high = -(1 << 30), least = 1 << 30;
    double x = 1e30, y = -1e30;
    fill(a, N, 81);
    for (int i = 0; i < N; i++)
        d[i] = a[i] / 8.0;
#pragma acc kernels
    {
        for (int i = 0; i < N; i++) { // expect: parallel: reduction min low, reduction max high
            if (a[i] < low)
                low = a[i];
            if (high < a[i])
                high = a[i];
        }
        for (int i = 0; i < N; i++) // expect: parallel: reduction min least
            least = a[i] < least ? a[i] : least;
        for (int i = 0; i < N; i++) // expect: parallel: reduction min x
            x = fmin(x, d[i]);
        for (int i = 0; i < N; i++) // expect: parallel: reduction max y
            y = fmax(d[i], y);
    }
    printf("%d %d %d %g %g\n", low, high, least, x, y);
}
