// Loops of `kernels` that the program calls independent, whose iterations set scalars and a small array that are
// declared outside: used again in the region, read behind it or behind an inner loop, set by some iterations only,
// reduced inside; and the region behind them uses the same scalar as a temporary.
// options: -Wno-missing-reduction
// also: --gangs 3
#include <stdio.h>

static double a[40][40], a2[40][40], b[40], c[40];

static double again(int n) {
  double t = 3;
#pragma acc kernels copy(a, b, c)
  for (int round = 0; round < 2; round++) {
#pragma acc loop independent gang
    for (int i = 0; i < n; i++) {
#pragma acc loop independent vector
      for (int j = 0; j < n; j++)
        if ((i + j) % 3) {
          t = a[i][j] + 1;
          a[i][j] = t;
        }
      c[i] += i;
    }
    t = 0;
#pragma acc loop independent gang worker vector
    for (int i = 0; i < n; i++) {
      t = 0;
      for (int j = 0; j < n; j++)
        t += a[j][i];
      b[i] += t;
    }
  }
#pragma acc kernels copyin(a) copy(c)
  for (int round = 0; round < 2; round++) {
#pragma acc loop independent gang worker
    for (int i = 0; i < n; i++)
      if (i % 4) {
        t = 0;
#pragma acc loop seq
        for (int j = 0; j < n; j++)
          t += a[i][j];
        c[i] += t;
      }
  }
  return b[3] + c[5];
}

static double last(int n) {
  double t = -1, sum = -1;
#pragma acc kernels copyin(a) copy(b)
#pragma acc loop independent
  for (int i = 0; i < n; i++) {
    t = a[i][1] * 2;
    b[i] = t;
  }
#pragma acc kernels copyin(a) copy(b)
  {
#pragma acc loop independent gang
    for (int i = 0; i < n; i++) {
      sum = 0;
#pragma acc loop vector reduction(+ : sum)
      for (int j = 0; j < n; j++)
        sum += a[i][j];
      b[i] += sum;
    }
    b[0] += sum;
  }
  return t + sum;
}

static double row(const double *p, double *q, const int *places, int n) {
  double near[4], s = 0;
#pragma acc kernels copyin(p[0 : n], places[0 : n]) copy(q[0 : n])
#pragma acc loop independent
  for (int i = 0; i < n; i++) {
    for (int k = 0; k < 4; k++)
      near[k] = p[(i + k) % n];
    q[places[i]] = near[0] - near[1] + near[2] * near[3];
  }
#pragma acc kernels copyin(p[0 : n]) copy(q[0 : n])
#pragma acc loop independent collapse(2)
  for (int i = 0; i < n / 4; i++)
    for (int k = 0; k < 4; k++) {
      near[0] = p[i * 4 + k];
      s = near[0] / 2;
      q[i * 4 + k] += s * near[0];
    }
  return q[7] + q[n - 1];
}

static double inner(int n) {
  double t, sum = 0;
#pragma acc kernels copyin(a) copy(c) copyout(a2)
#pragma acc loop independent gang
  for (int i = 0; i < n; i++) {
    t = i;
#pragma acc loop independent vector
    for (int j = 0; j < n; j++) {
      t = a[i][j] * 2;
      a2[i][j] = t + j;
    }
    c[i] += t;
  }
  for (int i = 0; i < n; i++)
    sum += c[i] * i + a2[i][i];
  return sum;
}

static int count(const int *p, int n) {
  int many = 5;
#pragma acc kernels loop independent copyin(p[0 : n])
  for (int i = 0; i < n; i++)
    if (p[i] > 3)
      many++;
  return many;
}

int main(void) {
  int places[40];
  for (int i = 0; i < 40; i++) {
    places[i] = (i * 7) % 40;
    for (int j = 0; j < 40; j++)
      a[i][j] = (i * 3 + j * 5) % 11;
  }
  printf("%g\n", again(37));
  printf("%g\n", last(40));
  for (int i = 0; i < 40; i++)
    c[i] = i % 6;
  printf("%g\n", row(b, c, places, 40));
  printf("%.10g\n", inner(40));
  printf("%d\n", count(places, 40));
  double s = 0;
  for (int i = 0; i < 40; i++)
    s += b[i] * (i % 5) + c[i];
  printf("%.10g\n", s);
}
