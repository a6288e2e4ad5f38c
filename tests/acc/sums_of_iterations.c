// Inner loops accumulate, without a clause, in what belongs to an iteration of the loop around, to the gang, or to the
// caller of a routine; and an independent loop of `kernels` in a scalar: each is treated as if it had the clause.
// options: -Wno-missing-reduction
// also: --gangs 3
#include <stdio.h>

static double a[20][30], x[30], y[20];

#pragma acc routine vector
static double row(const double *p, int n) {
  double s = 0;
#pragma acc loop vector
  for (int i = 0; i < n; i++)
    s += p[i];
  return s;
}

int main(void) {
  double most, all = 0;
  int few = 40;
  for (int i = 0; i < 20; i++)
    for (int j = 0; j < 30; j++) {
      a[i][j] = (i * 7 + j * 3) % 13;
      x[j] = j % 4;
    }
#pragma acc parallel loop copyin(a, x) copyout(y)
  for (int i = 0; i < 20; i++) {
    double sum = 0;
#pragma acc loop
    for (int j = 0; j < 30; j++)
      sum += a[i][j] * x[j];
    y[i] = sum;
  }
#pragma acc parallel loop gang private(most) copyin(a) copy(y)
  for (int i = 0; i < 20; i++) {
    most = -1;
#pragma acc loop worker
    for (int j = 0; j < 6; j++)
#pragma acc loop vector
      for (int k = 0; k < 5; k++)
        if (a[i][j * 5 + k] > most)
          most = a[i][j * 5 + k];
    y[i] += most * 1000;
  }
#pragma acc parallel loop gang copyin(a) copy(y)
  for (int i = 0; i < 20; i++)
    y[i] += row(a[i], 30);
#pragma acc parallel num_gangs(3) copyin(a) copy(y)
  {
    double own = 0;
#pragma acc loop worker vector
    for (int j = 0; j < 30; j++)
      own += a[3][j];
#pragma acc loop gang
    for (int i = 0; i < 20; i++)
      y[i] += own;
  }
#pragma acc kernels copyin(a, y)
  {
#pragma acc loop independent collapse(2)
    for (int i = 0; i < 20; i++)
      for (int j = 0; j < 30; j++)
        all += a[i][j];
#pragma acc loop independent
    for (int i = 0; i < 20; i++)
      few = few < (int)y[i] % 40 ? few : (int)y[i] % 40;
  }
  double s = 0;
  for (int i = 0; i < 20; i++)
    s += y[i] * (i + 1);
  printf("%g %d %.10g\n", all, few, s);
}
