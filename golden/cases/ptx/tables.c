//! golden ptx: ptx
//! golden tables.ir: ir --target ptx --stage tables --no-positions
//! count ptx: ld=142
/* Short loops over constant tables: written out, with the values of the tables, and private arrays in registers. */
static const float weight[3][3] = {{1, 2, 1}, {2, 4}, {-1}};
static const int far[5] = {0, -1, 1, 3};
static const signed char sign[4] = {-1, 1, -128};
static int changing[3] = {1, 2, 3};

void taps(int n, const float *restrict x, float *restrict y)
{
#pragma acc parallel loop collapse(2) copyin(x[0 : n * n]) copy(y[0 : n * n])
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++) {
            float sum = 0;
            for (int k = -1; k <= 1; k++)
#pragma acc loop seq
                for (int l = -1; l <= 1; l++)
                    sum += weight[k + 1][l + 1] * x[(i + k) * n + j + l];
            y[i * n + j] = sum;
        }
}

void neighbours(int n, const double *restrict x, double *restrict y)
{
#pragma acc parallel loop copyin(x[0 : n]) copyout(y[0 : n])
    for (int i = 0; i < n; i++) {
        double value[5], sum = 0;
        for (int q = 0; q < 5; q++)
            value[q] = x[(i + far[q] + n) % n];
        for (int q = 4; q > 0; q -= 1)
            sum = sum * sign[q - 1] + value[q] + value[0];
        y[i] = sum;
    }
}

/* What the program may write is loaded. */
void written(int n, int *restrict y)
{
#pragma acc parallel loop copyin(changing) copyout(y[0 : n])
    for (int i = 0; i < n; i++) {
        int sum = 0;
        for (int q = 0; q < 3; q++)
            sum += changing[q] * i;
        y[i] = sum;
    }
}

static inline int towards(int q)
{
    const int by[5] = {0, -2, 2, -3, 3};
    return by[q];
}

/* Arrays of functions that only hold constants are tables, too; those that code changes are not. */
void around(int n, const double *restrict x, double *restrict y)
{
    const double part[5] = {0.5, 0.25, 0.125, 1};
#pragma acc parallel loop copyin(x[0 : n], part) copyout(y[0 : n])
    for (int i = 0; i < n; i++) {
        int seen[5] = {4, 3, 2, 1};
        double sum = 0;
        for (int q = 0; q < 5; q++)
            sum += part[q] * x[(i + towards(q) + n) % n];
        seen[i % 5] = 7;
        y[i] = sum + seen[(i + 1) % 5] * seen[i % 5];
    }
}
