// Workers that combine some variables under a lock and others, arrays, in turn.
// also: --gangs 3
// also: --device sim --reduction lock --deterministic
// also: --device sim --reduction cas --deterministic --seed 3 -fopenacc-dim=2:32:32
// also: --device sim --deterministic -fopenacc-dim=2:5:64
#include <complex.h>
#include <stdio.h>

enum { GANGS = 3, N = 70 };
static double out[GANGS][5];

int main(void)
{
    int wrong = 0;
#pragma acc parallel loop gang copyout(out)
    for (int g = 0; g < GANGS; g++) {
        double sums[3] = {g, 1, 2};
        int most = -1, bits = g;
        double complex product = 1;
        _Bool any = 0;
        double complex some[2] = {0, 0};
#pragma acc loop worker reduction(max:most) reduction(+:sums) reduction(*:product) reduction(|:bits) reduction(||:any, some)
        for (int i = 0; i < N; i++) {
            most = i > most ? i : most;
            sums[i % 3] += i * 0.5;
            product *= i % 35 == 4 ? I : 1;
            bits |= i;
            any = any || i == 69;
            some[i & 1] = some[i & 1] || i == 33;
        }
        out[g][0] = sums[0] + 10000 * sums[1];
        out[g][1] = sums[2];
        out[g][2] = most + 1000 * bits;
        out[g][3] = creal(product) + 10 * any;
        out[g][4] = creal(some[0]) + 2 * creal(some[1]);
    }
    for (int g = 0; g < GANGS; g++) {
        double sums[3] = {g, 1, 2};
        int bits = g;
        for (int i = 0; i < N; i++) {
            sums[i % 3] += i * 0.5;
            bits |= i;
        }
        wrong += out[g][0] != sums[0] + 10000 * sums[1] || out[g][1] != sums[2];
        wrong += out[g][2] != 69 + 1000 * bits || out[g][3] != -1 + 10 || out[g][4] != 2;
    }
    if (wrong)
        printf("%d wrong\n", wrong);
    return wrong != 0;
}
