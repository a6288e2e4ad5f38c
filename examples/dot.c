// Dot product and both norms in one pass: three reductions in one clause.
#include <math.h>
#include <stdio.h>

enum { N = 65536 };
static double a[N], b[N];

int main(void)
{
    double dot = 0, aa = 0, bb = 0;

#pragma acc data create(a, b)
    {
        // The arrays are made on the device and never travel.
#pragma acc parallel loop present(a, b)
        for (int i = 0; i < N; i++) {
            a[i] = (i % 17 - 8) * 0.5;
            b[i] = (i % 13 - 6) * 0.25;
        }
#pragma acc parallel loop gang vector reduction(+:dot, aa, bb) present(a, b)
        for (int i = 0; i < N; i++) {
            dot += a[i] * b[i];
            aa += a[i] * a[i];
            bb += b[i] * b[i];
        }
    }
    printf("a.b = %.3f, |a| = %.6f, |b| = %.6f, cosine = %.6f\n", dot, sqrt(aa), sqrt(bb), dot / sqrt(aa * bb));
    return 0;
}
