// Nests over gangs, workers and lanes with nothing between the loops, of several loops a directive, and of given sizes.
#include <stdio.h>

enum { I = 5, J = 7, K = 66, L = 70 };

static int x[I][J][K][L], y[L][K][J][I], far[3][K][L], back[3][L][K];

static void axes(void)
{
#pragma acc parallel loop gang collapse(2) copyin(x) copyout(y)
    for (int i = 0; i < I; i++)
        for (int j = 0; j < J; j++)
#pragma acc loop vector collapse(2)
            for (int k = 0; k < K; k++)
                for (int l = 0; l < L; l++)
                    y[l][k][j][i] = x[i][j][k][l];
}

static void planes(int planes)
{
#pragma acc parallel loop gang num_workers(4) vector_length(32) copyin(far) copyout(back)
    for (int p = 0; p < planes; p++)
#pragma acc loop worker
        for (int k = 0; k < K; k++)
#pragma acc loop vector
            for (int l = 0; l < L; l++)
                back[p][l][k] = far[p][k][l] + p;
}

// What stands between loops, and bounds that depend on the loops around, keep the nests.
static void steps(int n, int *restrict sums)
{
#pragma acc parallel loop gang num_workers(2) copyin(far) copyout(sums[0 : n * 8])
    for (int p = 0; p < n; p++)
#pragma acc loop worker
        for (int k = 0; k < 8; k++) {
            int sum = 0;
#pragma acc loop vector reduction(+:sum)
            for (int l = k; l < L - p; l++)
                sum += far[p][k][l];
            sums[p * 8 + k] = sum;
        }
}

// Squares whose sides end in the middle of the arrays.
static void squares(int n, int m, const double *restrict a, double *restrict b)
{
#pragma acc parallel loop gang vector collapse(2) copyin(a[0 : n * m]) copyout(b[0 : n * m])
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            b[j * n + i] = a[i * m + j];
}

int main(void)
{
    for (int n = 0; n < I * J * K * L; n++)
        (&x[0][0][0][0])[n] = n * 7 % 1009;
    for (int n = 0; n < 3 * K * L; n++)
        (&far[0][0][0])[n] = n % 31;
    axes();
    planes(3);
    int sums[24], wrong = 0;
    steps(3, sums);
    for (int i = 0; i < I; i++)
        for (int j = 0; j < J; j++)
            for (int k = 0; k < K; k++)
                for (int l = 0; l < L; l++)
                    wrong += y[l][k][j][i] != x[i][j][k][l];
    for (int p = 0; p < 3; p++)
        for (int k = 0; k < K; k++)
            for (int l = 0; l < L; l++)
                wrong += back[p][l][k] != far[p][k][l] + p;
    for (int p = 0; p < 3; p++)
        for (int k = 0; k < 8; k++) {
            int sum = 0;
            for (int l = k; l < L - p; l++)
                sum += far[p][k][l];
            wrong += sums[p * 8 + k] != sum;
        }
    static double a[130 * 140], b[130 * 140];
    for (int n = 0; n < 130 * 140; n++)
        a[n] = n;
    int sizes[][2] = {{130, 140}, {129, 131}, {64, 32}, {31, 140}, {33, 33}};
    for (int s = 0; s < 5; s++) {
        int n = sizes[s][0], m = sizes[s][1];
        squares(n, m, a, b);
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++)
                wrong += b[j * n + i] != a[i * m + j];
    }
    printf("%d %d %d %d\n", wrong, y[L - 1][3][2][1], back[2][5][7], sums[23]);
    return wrong != 0;
}
