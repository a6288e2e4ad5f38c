// Levels that strides choose: merged, interchanged, triangular and imperfect nests of `kernels`.
// also: --gangs 3
#include <stdio.h>
#define N 100
#define M 70
double a[N][M], b[N][M], c[N][M], d[M][N], x[M], y[N], e[N][4], t[N][N], u[N][N][N];
float h[N][M];
int main() {
  for (int i = 0; i < N; i++) for (int j = 0; j < M; j++) { a[i][j] = i * 3 + j * j; d[j][i] = i ^ j; x[j] = j; h[i][j]=i*j;}
#pragma acc kernels
  {
#pragma acc loop independent
    for (int i = 1; i < N - 1; i++)
#pragma acc loop independent
      for (int j = 1; j < M - 1; j++)
        b[i][j] = a[i][j] + a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1];
  }
#pragma acc kernels
  {
#pragma acc loop independent
    for (int i = 0; i < M; i++)
#pragma acc loop independent
      for (int j = N - 1; j >= 0; j -= 1)
        c[j][i] += a[j][i] + i;
  }
#pragma acc kernels
  {
#pragma acc loop independent
    for (int i = 0; i < N; i++) {
      double s = 0;
#pragma acc loop independent reduction(+:s)
      for (int j = 0; j < M; j++) s += a[i][j] * x[j];
      y[i] = s;
    }
  }
#pragma acc kernels
  {
#pragma acc loop independent
    for (int i = 0; i < N; i++)
#pragma acc loop independent
      for (int j = 0; j < N; j++) {
        double s = 0;
#pragma acc loop independent reduction(+:s)
        for (int k = 0; k < M; k++) s += a[i][k] * d[k][j];
        t[i][j] = s;
      }
  }
#pragma acc kernels
  {
#pragma acc loop independent
    for (int i = 0; i < N; i++) {
      y[i] += 1;
#pragma acc loop independent
      for (int j = 0; j < 4; j++) e[i][j] = y[i] + j;
    }
  }
#pragma acc kernels
  {
#pragma acc loop independent
    for (int i = 0; i < N; i++)
#pragma acc loop independent
      for (int j = 0; j < i; j++) t[j][i] = t[i][j];
  }
#pragma acc kernels
  {
#pragma acc loop independent
    for (int i = 0; i < N; i++)
#pragma acc loop independent
      for (int j = 0; j < N; j++)
#pragma acc loop independent
        for (int k = 0; k < N; k++) u[j][k][i] = i + 2 * j - k;
  }
  double q = 0;
#pragma acc kernels
#pragma acc loop independent reduction(+:q)
  for (int i = 0; i < N; i++)
#pragma acc loop independent reduction(+:q)
    for (int j = 0; j < M; j++) q += a[i][j];
  double s = 0;
  for (int i = 0; i < N; i++) { s += y[i]; for (int j = 0; j < M; j++) s += b[i][j] * (i - j) + c[i][j] * i;
   for (int j = 0; j < 4; j++) s += e[i][j]; for (int j = 0; j < N; j++) { s += t[i][j] * (i + 3 * j); for (int k = 0; k < N; k++) s += u[i][j][k] * (i ^ j ^ (3 * k)); } }
  printf("%.10g %.10g\n", s, q);
  return 0;
}
