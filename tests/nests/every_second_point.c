// Strips of rows take registers for what their rows have in common: values around every second point, as a grid of half
// as many points is made of them, are too many for several rows, those around every point of a plane are not.
#include <stdio.h>
#define N 20
static double fine[2 * N][2 * N][2 * N], coarse[N][N][N], plane[N * N], smooth[N * N];

static void restricted(int n, const double (*restrict a)[2 * N][2 * N], double (*restrict r)[N][N])
{
#pragma acc parallel loop collapse(3) copyin(a[0:2 * N]) copy(r[0:N])
    for (int i = 1; i < n; i++)
        for (int j = 1; j < n; j++)
            for (int k = 1; k < n; k++) {
                int p = 2 * i, q = 2 * j, s = 2 * k;
                double faces = a[p - 1][q][s] + a[p + 1][q][s] + a[p][q - 1][s] + a[p][q + 1][s] + a[p][q][s - 1] +
                               a[p][q][s + 1];
                double edges = 0, corners = 0;
                for (int d = -1; d <= 1; d += 2) {
                    edges += a[p + d][q - 1][s] + a[p + d][q + 1][s] + a[p + d][q][s - 1] + a[p + d][q][s + 1] +
                             a[p][q + d][s - 1] + a[p][q + d][s + 1];
                    corners += a[p + d][q - 1][s - 1] + a[p + d][q - 1][s + 1] + a[p + d][q + 1][s - 1] +
                               a[p + d][q + 1][s + 1];
                }
                r[i][j][k] = 8 * a[p][q][s] + 4 * faces + 2 * edges + corners;
            }
}

static void smoothed(int n, int m, const double *restrict a, double *restrict r)
{
#pragma acc kernels copyin(a[0:n * m]) copy(r[0:n * m])
    for (int i = 1; i < n - 1; i++)         // expect: parallel
        for (int j = 1; j < m - 1; j++) {   // expect: parallel
            double sum = 0;
            for (int d = -1; d <= 1; d++)       // expect: parallel: reduction + sum
                for (int e = -1; e <= 1; e++)   // expect: parallel: reduction + sum
                    sum += a[(i + d) * m + j + e];
            r[i * m + j] = sum;
        }
}

int main(int argc, char **argv)
{
    double *all = &fine[0][0][0];
    for (int i = 0; i < 8 * N * N * N; i++)
        all[i] = i % 11;
    for (int i = 0; i < N * N; i++)
        plane[i] = i % 7;
    int n = N + argc - 1;
    restricted(n, fine, coarse);
    smoothed(n, n, plane, smooth);
    double sum = 0;
    all = &coarse[0][0][0];
    for (int i = 0; i < N * N * N; i++)
        sum += all[i] * (i % 5);
    printf("%g\n", sum);
    for (int i = 0; i < N * N; i++)
        printf("%g%c", smooth[i], i % N == N - 1 ? '\n' : ' ');
}
