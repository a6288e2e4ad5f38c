//! golden ptx: ptx -fno-launch-numbers
/* Instructions where there are some, accrue's own library where there are none. */
#include <math.h>
void lengths(int n, const double *restrict x, double *restrict out)
{
#pragma acc parallel loop copyin(x[0 : n]) copyout(out[0 : n])
    for (int i = 0; i < n; i++)
        out[i] = sqrt(fabs(x[i])) + cbrt(fma(x[i], x[i], 1.0));
}
