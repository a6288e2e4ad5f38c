// Executes the golden case of loops that load for several iterations before any of them goes on.
#include <stdio.h>

#include "../../golden/cases/ptx/first.c"

static float x[260], by[40], y[50], z[50], kept[50], grid[50 * 40], again[50 * 40];
static int at[260];

int main(void)
{
    int wrong = 0;
    for (int m = 0; m < 40; m++) {
        for (int j = 0; j < 260; j++)
            x[j] = j * 37 % 101, at[j] = j * 7 % 40;
        for (int j = 0; j < 40; j++)
            by[j] = j * 0.5f;
        for (int i = 0; i < 50; i++)
            kept[i] = y[i] = i * 2, z[i] = 1 + i % 7 * 0.25f;
        for (int i = 0; i < 50 * 40; i++)
            grid[i] = again[i] = i * 31 % 17;
#pragma acc data copyin(x, by, at, z) copy(y, grid)
        {
            above(50, m, at, x, by, y);
            carried(50, m, grid, z);
        }
        for (int i = 0; i < 50; i++) {
            float sum = 0;
            for (int j = 0; j < m + 3; j += 2)
                if (x[j + 1] > kept[i])
                    sum += x[j] * by[at[j]];
            wrong += sum != y[i];
            for (int j = 1; j < m; j++)
                if (again[i * m + j - 1] > z[i])
                    again[i * m + j] = again[i * m + j - 1] / z[i];
        }
        for (int i = 0; i < 50 * 40; i++)
            wrong += grid[i] != again[i];
    }
    printf("%d wrong\n", wrong);
    return 0;
}
