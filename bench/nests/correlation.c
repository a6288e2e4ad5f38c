/* Means, deviations and correlations of columns: four nests, one of them triangular. */
#include <math.h>

void correlate(int m, int n, double data[n][m], double corr[m][m], double mean[m], double deviation[m])
{
    double eps = 0.1, count = n;
#pragma acc kernels
    {
        for (int j = 0; j < m; j++) {
            mean[j] = 0.0;
            for (int i = 0; i < n; i++)
                mean[j] += data[i][j];
            mean[j] /= count;
        }
        for (int j = 0; j < m; j++) {
            deviation[j] = 0.0;
            for (int i = 0; i < n; i++)
                deviation[j] += (data[i][j] - mean[j]) * (data[i][j] - mean[j]);
            deviation[j] /= count;
            deviation[j] = sqrt(deviation[j]);
            deviation[j] = deviation[j] <= eps ? 1.0 : deviation[j];
        }
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++) {
                data[i][j] -= mean[j];
                data[i][j] /= sqrt(count) * deviation[j];
            }
        for (int i = 0; i < m - 1; i++) {
            corr[i][i] = 1.0;
            for (int j = i + 1; j < m; j++) {
                corr[i][j] = 0.0;
                for (int k = 0; k < n; k++)
                    corr[i][j] += data[k][i] * data[k][j];
                corr[j][i] = corr[i][j];
            }
        }
        corr[m - 1][m - 1] = 1.0;
    }
}
