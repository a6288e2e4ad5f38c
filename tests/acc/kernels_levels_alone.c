// In `kernels` a level on a loop does not say that its iterations are independent: an inner counter that they share, a sum
// without its clause, a loop that carries a value. `independent` and `reduction` are believed.
// also: --gangs 3
// also: --device sim -fopenacc-dim=3:5:64
#include <stdio.h>

enum { ROWS = 64, WIDTH = 10, N = ROWS * WIDTH };
static int start[ROWS + 1], owner[N], fibonacci[40];

int main(void)
{
    int row, k, steps = 0;
    double found = 0, sure = 0;
    for (row = 0; row <= ROWS; row++)
        start[row] = row * WIDTH;
#pragma acc kernels loop gang worker
    for (row = 0; row < ROWS; row++)
        for (k = start[row]; k < start[row + 1]; k++)
            owner[k] = row;
#pragma acc kernels loop gang(7) vector(32)
    for (row = 0; row < ROWS; row++)
        if (owner[row * WIDTH + 3] == row)
            found += 1;
#pragma acc kernels copy(fibonacci)
    {
        fibonacci[0] = fibonacci[1] = 1;
#pragma acc loop vector
        for (int i = 2; i < 40; i++)
            fibonacci[i] = fibonacci[i - 1] + fibonacci[i - 2];
#pragma acc loop independent gang reduction(+ : sure)
        for (int i = 0; i < ROWS; i++) {
            double part = 0;
#pragma acc loop worker
            for (int j = 0; j < WIDTH; j++)
                part += owner[i * WIDTH + j];
            sure += part;
        }
#pragma acc loop gang worker vector
        for (int i = 0; i < 100; i++)
            steps = steps * 3 % 101 + i;
    }
    printf("%d %g %d %g %d\n", owner[N - 1], found, fibonacci[39], sure, steps);
    return 0;
}
