/* Regions @k: what one writes with a bare `kernels`, one nest or several. */
void smooth_@k(int n, int m, double (*restrict a)[m], double (*restrict b)[m])
{
#pragma acc kernels
    {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                b[i][j] = 0.25 * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                a[i][j] = b[i][j];
    }
}

void multiply_@k(int n, int m, int l, const float *restrict a, const float *restrict b, float *restrict c)
{
#pragma acc kernels
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            float sum = 0;
            for (int k = 0; k < l; k++)
                sum += a[i * l + k] * b[k * m + j];
            c[i * m + j] = sum;
        }
}

double moments_@k(int n, const double *x, double *mean, double *deviation)
{
    double sum = 0, squares = 0;
#pragma acc kernels
    {
        for (int i = 0; i < n; i++)
            sum += x[i];
        double average = sum / n;
        for (int i = 0; i < n; i++) {
            double distance = x[i] - average;
            squares += distance * distance;
        }
        *mean = average;
        *deviation = sqrt(squares / (n - 1));
    }
    return sum;
}

void triangle_@k(int n, double l[n][n], double *x, const double *b)
{
#pragma acc kernels
    for (int i = 0; i < n; i++) {
        x[i] = b[i];
        for (int j = 0; j < i; j++)
            x[i] -= l[i][j] * x[j];
        x[i] = x[i] / l[i][i];
    }
}

void cells_@k(int n, const double *position, const double *mass, double *force, int *largest)
{
    int top = 0;
#pragma acc kernels
    {
        for (int i = 0; i < n; i++) {
            double local[3] = { 0, 0, 0 };
            for (int j = 0; j < n; j++) {
                double d[3], r = @c;
                for (int k = 0; k < 3; k++) {
                    d[k] = position[3 * i + k] - position[3 * j + k];
                    r += d[k] * d[k];
                }
                for (int k = 0; k < 3; k++)
                    local[k] += mass[j] * d[k] / r;
            }
            for (int k = 0; k < 3; k++)
                force[3 * i + k] = local[k];
        }
        for (int i = 1; i < n; i++)
            if (mass[i] > mass[top])
                top = i;
    }
    *largest = top;
}
