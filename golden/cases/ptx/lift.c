//! golden lift.ir: ir --target ptx --stage lift --no-positions
/* What guarded accesses are made of stands in front of the loop, and what both ways compute in front of the branches. */
void guarded(int n, int m, const float *restrict x, const float *restrict w, float *restrict y)
{
#pragma acc parallel loop copyin(x[0 : n * m], w[0 : 2 * m]) copyout(y[0 : n])
    for (int i = 0; i < n; i++) {
        float sum = 0;
#pragma acc loop seq
        for (int k = 0; k < m; k++) {
            if (i > 0)
                sum += w[2 * k] * x[k * n + i - 1];
            if (i + 1 < n)
                sum += w[2 * k + 1] * x[k * n + i + 1];
        }
        y[i] = sum;
    }
}

/* A quotient that is rarely wanted stays where it is. */
void rare(int n, int m, int by, const int *restrict x, int *restrict y)
{
#pragma acc parallel loop copyin(x[0 : n]) copyout(y[0 : n])
    for (int i = 0; i < n; i++) {
        int sum = 0;
#pragma acc loop seq
        for (int k = 0; k < m; k++)
            if (x[i] == k)
                sum += n / by;
        y[i] = sum;
    }
}
