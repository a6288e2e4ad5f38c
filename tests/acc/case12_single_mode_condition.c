// A condition computed once per gang or worker decides what all lanes do.
// also: --gangs 3
#include <stdio.h>

enum { GANGS = 12, N = 50 };
static int a[GANGS][N], out[GANGS];

int main(void)
{
    int wrong = 0;
    for (int g = 0; g < GANGS; g++)
        for (int i = 0; i < N; i++)
            a[g][i] = g + i;

#pragma acc parallel loop gang copyin(a) copyout(out) num_workers(4) vector_length(32)
    for (int g = 0; g < GANGS; g++) {
        int mode = a[g][0] % 3, result = 0;
        if (mode == 0) {
#pragma acc loop worker vector reduction(+:result)
            for (int i = 0; i < N; i++)
                result += a[g][i];
        } else if (mode == 1) {
#pragma acc loop worker reduction(max:result)
            for (int w = 0; w < 5; w++) {
                int inside = 0, wide = (w + g) % 2;
                if (wide) {
#pragma acc loop vector reduction(+:inside)
                    for (int i = 0; i < N; i++)
                        inside += a[g][i] * w;
                }
                result = inside > result ? inside : result;
            }
        } else {
            result = -1;
        }
        out[g] = result;
    }
    for (int g = 0; g < GANGS; g++) {
        int row = N * g + N * (N - 1) / 2;
        int best = (4 + g) % 2 ? 4 * row : 3 * row;
        int expected = g % 3 == 0 ? row : g % 3 == 1 ? best : -1;
        if (out[g] != expected) {
            printf("gang %d: %d, expected %d\n", g, out[g], expected);
            wrong++;
        }
    }
    return wrong != 0;
}
