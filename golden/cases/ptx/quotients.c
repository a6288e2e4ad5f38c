//! golden quotients.ir: ir --target ptx --stage quotients --no-positions
//! golden angles.ir: ir --target ptx --stage angles --no-positions
float sinf(float);
float cosf(float);

/* What each iteration would divide alike is divided once, and not where only some would. */
void shares(int n, int m, const int *restrict x, int *restrict y)
{
#pragma acc parallel loop copyin(x[0 : n]) copyout(y[0 : n])
    for (int i = 0; i < n; i++) {
        int sum = 0;
#pragma acc loop seq
        for (int k = 0; k <= m; k++) {
            sum += k * (x[i] % m);
            if (k == 3)
                sum += x[i] / (m + 1);
        }
        y[i] = sum;
    }
}

/* The sine and the cosine of an angle are one call, of two angles two. */
void turned(int n, const float *restrict x, float *restrict y)
{
#pragma acc parallel loop copyin(x[0 : n + 1]) copyout(y[0 : n])
    for (int i = 0; i < n; i++)
        y[i] = cosf(x[i]) * 2 + sinf(x[i]) + cosf(x[i + 1]);
}
