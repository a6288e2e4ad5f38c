//! golden ptx: ptx
//! golden explain: explain
//! golden fuse.ir: ir --target ptx --stage fuse --no-positions
/* Constructs that follow each other and go through the same iterations: which of them are one launch. */

/* Three: the host's zero goes in front of all of them. */
double step(int n, double alpha, double *restrict x, double *restrict r, const double *restrict p, const double *restrict q)
{
    double sum;
#pragma acc parallel loop present(x[0:n], p[0:n])
    for (int i = 0; i < n; i++)
        x[i] += alpha * p[i];
#pragma acc parallel loop present(r[0:n], q[0:n], p[0:n])
    for (int i = 0; i < n; i++)
        r[i] -= alpha * (q[i] + p[i]);
    sum = 0;
#pragma acc parallel loop present(r[0:n]) reduction(+ : sum)
    for (int i = 0; i < n; i++)
        sum += r[i] * r[i];
    return sum;
}

/* Nests stay perfect, whatever their variables are called; the last one reads what others wrote. */
void fields(int n, float *restrict u, float *restrict v, const float *restrict h, float *restrict w)
{
#pragma acc data copy(u[0:n * n], v[0:n * n], w[0:n * n]) copyin(h[0:n * n])
#pragma acc kernels
    {
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n - 1; j++)
                u[i * n + j] -= h[i * n + j + 1] - h[i * n + j];
        for (int row = 0; row < n; row++)
            for (int column = 0; column < n - 1; column++) {
                float last = v[row * n + column];
                v[row * n + column] = last + u[row * n + column] * h[row * n + column];
            }
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n - 1; j++)
                w[i * n + j] = v[i * n + j + 1];
    }
}

/* Without `restrict`, the first pair may be one array, and a transposition is of other iterations. */
void apart(int n, double *x, double *y, double a[restrict n][n], double b[restrict n][n])
{
#pragma acc parallel loop present(x[0:n])
    for (int i = 0; i < n; i++)
        x[i] *= 2;
#pragma acc parallel loop present(x[0:n], y[0:n])
    for (int i = 0; i < n; i++)
        y[i] = x[i] + 1;
#pragma acc parallel loop collapse(2) present(a[0:n], b[0:n])
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            a[i][j] += b[i][j];
#pragma acc parallel loop collapse(2) present(a[0:n], b[0:n])
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            b[i][j] = a[j][i];
}

enum { N = 100 };

/* What the host and the device have of `t` differs between the last two. */
void moved(double a[N], double t[N], int *count)
{
    double out[N], all[N];
    int number = 0;
#pragma acc parallel loop copyout(out)
    for (int i = 0; i < N; i++)
        out[i] = i;
#pragma acc parallel loop copyin(out) copyout(all) reduction(+ : number)
    for (int i = 0; i < N; i++) {
        all[i] = out[i] * 2;
        number += out[i] > 50;
    }
#pragma acc parallel loop create(t[0:N])
    for (int i = 0; i < N; i++)
        t[i] = i;
#pragma acc parallel loop copyin(t[0:N]) copy(all)
    for (int i = 0; i < N; i++)
        all[i] += t[i];
    for (int i = 0; i < N; i++)
        a[i] = all[i] + out[i];
    *count = number;
}
