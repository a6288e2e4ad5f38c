//! golden ptx: ptx
//! golden explain: explain
//! count ptx: shfl=13 barrier.sync=0 bar.warp=4
/* Values of every type on their way from the leader: to workers through the record, widest first, to lanes by shuffles, the wide
   ones as parts. */
#include <complex.h>

__attribute__((noinline)) int source(const int *, int);

#pragma acc routine seq
int source(const int *from, int x) { return from[x] * 3; }

void types(int n, const int *from, double *restrict out)
{
#pragma acc parallel loop gang copyin(from[0 : n]) copyout(out[0 : n * 32])
    for (int j = 0; j < n; j++) {
        int i = source(from, j);
        _Bool b = i > 5;
        char c = (char)i;
        short s = (short)i;
        long l = i * 1000L;
        float f = i * 0.5f;
        double d = i * 0.25;
        float complex fc = f + 2 * I;
        double complex dc = d - I;
        __int128 wide = (__int128)l << 70;
        out[j * 32] = i;
#pragma acc loop worker vector
        for (int k = 1; k < 32; k++)
            out[j * 32 + k] = b + c + s + l + f + d + crealf(fc) + cimag(dc) + (double)(wide >> 60) + k;
    }
}

void lanes(int n, const int *from, double *restrict out)
{
#pragma acc parallel loop gang copyin(from[0 : n]) copyout(out[0 : n * 32])
    for (int j = 0; j < n; j++) {
        int i = source(from, j);
        _Bool b = i > 5;
        char c = (char)i;
        long l = i * 1000L;
        float f = i * 0.5f;
        double complex dc = i - I;
        __int128 wide = (__int128)l << 70;
        out[j * 32] = i;
#pragma acc loop vector
        for (int k = 1; k < 32; k++)
            out[j * 32 + k] = b + c + l + f + cimag(dc) + (double)(wide >> 60) + k;
    }
}
