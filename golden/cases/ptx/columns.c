//! golden ptx: ptx
//! golden explain: explain
//! golden collapse.ir: ir --target ptx --stage collapse --no-positions
/* Sums of columns: where these are few, the threads of a gang share each of them, and combine their parts. */

void sums(int n, int m, const float *restrict a, const float *restrict x, float *restrict y)
{
#pragma acc parallel loop present(a, x, y)
    for (int j = 0; j < n; j++) {
        float sum = 0;
#pragma acc loop reduction(+:sum)
        for (int i = 0; i < m; i++)
            sum += a[i * n + j] * x[i];
        y[j] = sum;
    }
}

/* Several at once, in some columns, and levels that the program names. */
void ranges(int n, int m, const int *restrict a, const int *restrict some, int *restrict least, int *restrict most)
{
#pragma acc parallel loop gang vector vector_length(128) present(a, some, least, most)
    for (int j = 0; j < n; j++) {
        int low = least[j], high = most[j];
        if (some[j]) {
#pragma acc loop reduction(min:low) reduction(max:high)
            for (int i = 0; i < m; i++) {
                low = a[i * n + j] < low ? a[i * n + j] : low;
                high = a[i * n + j] > high ? a[i * n + j] : high;
            }
        }
        least[j] = low;
        most[j] = high;
    }
}

/* Lanes along rows, short columns, many columns, a store in front, and a value that is left: none is divided. */
void others(int n, int m, const float *restrict a, float *restrict y, float *restrict z)
{
#pragma acc parallel loop present(a, y)
    for (int j = 0; j < n; j++) {
        float sum = 0;
#pragma acc loop reduction(+:sum)
        for (int i = 0; i < m; i++)
            sum += a[j * m + i];
        y[j] = sum;
    }
#pragma acc parallel loop gang vector present(a, y)
    for (int j = 0; j < n; j++) {
        float sum = 0;
#pragma acc loop seq reduction(+:sum)
        for (int i = 0; i < 100; i++)
            sum += a[i * n + j];
        y[j] = sum;
    }
#pragma acc parallel loop gang vector present(a, y)
    for (int j = 0; j < 100000; j++) {
        float sum = 0;
#pragma acc loop seq reduction(+:sum)
        for (int i = 0; i < m; i++)
            sum += a[i * 100000 + j];
        y[j] = sum;
    }
#pragma acc parallel loop gang vector present(a, y, z)
    for (int j = 0; j < n; j++) {
        float sum = 0;
        z[j] = 1;
#pragma acc loop seq reduction(+:sum)
        for (int i = 0; i < m; i++)
            sum += a[i * n + j];
        y[j] = sum;
    }
#pragma acc parallel loop gang vector present(a, y)
    for (int j = 0; j < n; j++) {
        float sum = 0, last = 0;
#pragma acc loop seq reduction(+:sum)
        for (int i = 0; i < m; i++) {
            last = a[i * n + j];
            sum += last;
        }
        y[j] = sum - last;
    }
}

/* Lanes along each column, as the program says: they go along the columns. With a size that it names, they stay. */
void as_written(int n, int m, const float *restrict a, float *restrict y, float *restrict z)
{
#pragma acc parallel loop gang present(a, y)
    for (int j = 0; j < n; j++) {
        float sum = 0;
#pragma acc loop vector reduction(+:sum)
        for (int i = 0; i < m; i++)
            sum += a[i * n + j];
        y[j] = sum;
    }
#pragma acc parallel loop gang vector_length(64) present(a, z)
    for (int j = 0; j < n; j++) {
        float sum = 0;
#pragma acc loop vector reduction(+:sum)
        for (int i = 0; i < m; i++)
            sum += a[i * n + j];
        z[j] = sum;
    }
}
