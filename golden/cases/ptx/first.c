//! golden unroll.ir: ir --target ptx --stage unroll --no-positions
/* What several iterations of a loop with a branch load, and need nothing of theirs for, is loaded before all of them. */

/* The address of `x` is made of the counter, that of `by` of what was loaded. */
void above(int n, int m, const int *restrict at, const float *restrict x, const float *restrict by, float *restrict y)
{
#pragma acc parallel loop present(at, x, by, y)
    for (int i = 0; i < n; i++) {
        float sum = 0;
        for (int j = 0; j < m + 3; j += 2)
            if (x[j + 1] > y[i])
                sum += x[j] * by[at[j]];
        y[i] = sum;
    }
}

/* An iteration may store what the next one would load. */
void carried(int n, int m, float *restrict x, float *restrict y)
{
#pragma acc parallel loop present(x, y)
    for (int i = 0; i < n; i++)
        for (int j = 1; j < m; j++)
            if (x[i * m + j - 1] > y[i])
                x[i * m + j] = x[i * m + j - 1] / y[i];
}
