//! golden explain: explain
/* Which loops of nests in `kernels` get the lanes: those whose neighbouring iterations touch neighbours. */
enum { STRIDES_N = 60, STRIDES_M = 45 };

void strides(double a[STRIDES_N][STRIDES_M], double b[STRIDES_M][STRIDES_N], double x[STRIDES_M],
             double y[STRIDES_N], double c[STRIDES_N][STRIDES_N], double e[STRIDES_N][4],
             const double f[STRIDES_N][6])
{
#pragma acc kernels copy(a[0 : STRIDES_N])
#pragma acc loop independent
    for (int i = 1; i < STRIDES_N; i++)
#pragma acc loop independent
        for (int j = 0; j < STRIDES_M; j++)
            a[i][j] += i - 2 * j;
    /* The unit stride is the outer loop's: interchanged. */
#pragma acc kernels copy(a[0 : STRIDES_N])
#pragma acc loop independent
    for (int j = 0; j < STRIDES_M; j++)
#pragma acc loop independent
        for (int i = STRIDES_N - 1; i >= 0; i--)
            a[i][j] = 3 * a[i][j] + i;
    /* A row for each warp. */
#pragma acc kernels copy(a[0 : STRIDES_N], x[0 : STRIDES_M], y[0 : STRIDES_N])
#pragma acc loop independent
    for (int i = 0; i < STRIDES_N; i++) {
        double sum = 0;
#pragma acc loop independent reduction(+ : sum)
        for (int j = 0; j < STRIDES_M; j++)
            sum += a[i][j] * x[j];
        y[i] = sum;
    }
    /* A row for each lane: it is short. */
#pragma acc kernels copyin(f[0 : STRIDES_N]) copy(y[0 : STRIDES_N])
#pragma acc loop independent
    for (int i = 0; i < STRIDES_N; i++) {
        double sum = 0;
        for (int j = 5; j >= 0; j--)
            sum += f[i][j];
        y[i] += sum;
    }
    /* The sum over `k` is sequential. */
#pragma acc kernels copy(a[0 : STRIDES_N], b[0 : STRIDES_M], c[0 : STRIDES_N])
#pragma acc loop independent
    for (int i = 0; i < STRIDES_N; i++)
#pragma acc loop independent
        for (int j = 0; j < STRIDES_N; j++) {
            double sum = 0;
#pragma acc loop independent reduction(+ : sum)
            for (int k = 0; k < STRIDES_M; k++)
                sum += a[i][k] * b[k][j];
            c[i][j] = sum;
        }
    /* Four iterations are too few for lanes. */
#pragma acc kernels copy(y[0 : STRIDES_N], e[0 : STRIDES_N])
#pragma acc loop independent
    for (int i = 0; i < STRIDES_N; i++) {
        y[i] += 1;
#pragma acc loop independent
        for (int j = 0; j < 4; j++)
            e[i][j] = y[i] + j;
    }
    /* A triangle is no rectangle: not merged. */
#pragma acc kernels copy(c[0 : STRIDES_N])
#pragma acc loop independent
    for (int i = 0; i < STRIDES_N; i++)
#pragma acc loop independent
        for (int j = 0; j < i; j++)
            c[i][j] -= j;
    /* `collapse` says which loops are one, and strides who takes the lanes: not the sum. */
#pragma acc kernels copyin(a[0 : STRIDES_N], b[0 : STRIDES_M]) copy(c[0 : STRIDES_N])
#pragma acc loop independent collapse(2)
    for (int i = 0; i < STRIDES_N; i++)
        for (int j = 0; j < STRIDES_N; j++) {
            double sum = 0;
            for (int k = 0; k < STRIDES_M; k++)
                sum += a[i][k] * b[k][j];
            c[i][j] -= sum;
        }
}

/* Running sums: of columns, which lanes go down side by side, and of rows, which they share. */
void running_sums(int n, int m, double (*restrict a)[m], double (*restrict c)[m])
{
#pragma acc kernels copyin(a[0:n]) copyout(c[0:n])
    for (int j = 0; j < m; j++) {
        double sum = 0;
        for (int i = 0; i < n; i++) {
            sum += a[i][j];
            c[i][j] = sum;
        }
    }
#pragma acc kernels copy(a[0:n])
    for (int i = 0; i < n; i++) {
        double sum = 0;
        for (int j = 0; j < m; j++) {
            sum += a[i][j];
            a[i][j] = sum;
        }
    }
}
