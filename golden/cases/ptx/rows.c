//! golden ptx: ptx
//! golden explain: explain
//! count ptx: shfl=38
/* How many lanes share a row: the launch chooses by its length, or it is known; rows of one warp stay so. */

void normalise(int rows, int n, const double *restrict x, double *restrict y)
{
#pragma acc parallel loop gang present(x, y)
    for (int i = 0; i < rows; i++) {
        double sum = 0;
#pragma acc loop vector reduction(+:sum)
        for (int j = 0; j < n; j++)
            sum += x[i * n + j];
#pragma acc loop vector
        for (int j = 0; j < n; j++)
            y[i * n + j] = x[i * n + j] - sum / n;
    }
}

/* 65536 iterations in each of 7 rows: a gang for each. */
void largest(const int x[7][65536], int y[7])
{
#pragma acc parallel loop gang present(x, y)
    for (int i = 0; i < 7; i++) {
        int most = x[i][0];
#pragma acc loop vector reduction(max:most)
        for (int j = 0; j < 65536; j++)
            most = x[i][j] > most ? x[i][j] : most;
        y[i] = most;
    }
}

/* How long a row is, only the row knows. */
void sparse(int rows, const int *restrict first, const double *restrict x, double *restrict y)
{
#pragma acc parallel loop gang present(first, x, y)
    for (int i = 0; i < rows; i++) {
        double sum = 0;
#pragma acc loop vector reduction(+:sum)
        for (int j = first[i]; j < first[i + 1]; j++)
            sum += x[j];
        y[i] = sum;
    }
}
