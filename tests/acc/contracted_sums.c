// Sums and differences of products, with every option for contraction: all values are small integers, so that one rounding or
// two make no difference, and a product that nobody computed does.
// also: --device sim -ffp-contract=fast
// also: --device sim -ffast-math
// also: --device sim -ffast-math --reduction tree --seed 2
// also: --device sim -ffp-contract=on
// also: --device sim -ffp-contract=off
// also: -ffp-contract=fast
// also: -ffast-math
#include <complex.h>
#include <stdio.h>

enum { N = 67 };

static double product_sum(double a, double b, double c, double d) {
  return a * b + c * d;
}

#pragma acc routine vector
static float norm(const float *x, const float *y, int n) {
  float s = 0;
#pragma acc loop vector reduction(+ : s)
  for (int i = 0; i < n; i++)
    s += x[i] * x[i] - y[i] * y[i];
  return s;
}

static int pairs(void) {
  double a[N], b[N], sums[N], differences[N], nested[N];
  for (int i = 0; i < N; i++)
    a[i] = i % 9, b[i] = i % 7 - 3;
#pragma acc parallel loop copyin(a, b) copyout(sums, differences, nested)
  for (int i = 0; i < N; i++) {
    sums[i] = a[i] * a[i] + b[i] * b[i];
    differences[i] = a[i] * 3 - b[i] * a[i];
    double p = a[i] * b[i], q = b[i] * 5;
    nested[i] = (p + q) * (p - q) - product_sum(a[i], q, p, b[i]);
  }
  int wrong = 0;
  for (int i = 0; i < N; i++) {
    long x = i % 9, y = i % 7 - 3, p = x * y, q = y * 5;
    wrong += sums[i] != x * x + y * y || differences[i] != x * 3 - y * x;
    wrong += nested[i] != (p + q) * (p - q) - (x * q + p * y);
  }
  return wrong;
}

static int accumulated(void) {
  float x[N], y[N], s = 1, t = 0;
  for (int i = 0; i < N; i++)
    x[i] = i % 5, y[i] = i % 3;
#pragma acc parallel loop reduction(+ : s) copyin(x, y)
  for (int i = 0; i < N; i++)
    s += x[i] * y[i] + y[i] * 2.0f - x[i] * x[i];
#pragma acc parallel num_gangs(1) copyin(x, y) copyout(t)
  t = norm(x, y, N);
  long expected = 1, difference = 0;
  for (int i = 0; i < N; i++) {
    long a = i % 5, b = i % 3;
    expected += a * b + b * 2 - a * a;
    difference += a * a - b * b;
  }
  return s != expected || t != difference;
}

static int complex_products(void) {
  float _Complex z[N], w = 1;
  double _Complex sum = 0;
#pragma acc parallel loop copyout(z) reduction(* : w) reduction(+ : sum)
  for (int i = 0; i < N; i++) {
    float _Complex u = i % 4 + (i % 3) * I;
    z[i] = u * u - u * (2 + 1 * I);
    w *= i % 16 == 3 ? 1 + 1 * I : i % 16 == 5 ? 1 - 2 * I : 1;
    sum += (double _Complex)u * (1 - 1 * I);
  }
  long wr = 1, wi = 0, sr = 0, si = 0;
  int wrong = 0;
  for (int i = 0; i < N; i++) {
    long a = i % 4, b = i % 3;
    wrong += crealf(z[i]) != a * a - b * b - (2 * a - b) || cimagf(z[i]) != 2 * a * b - (a + 2 * b);
    sr += a + b, si += b - a;
    if (i % 16 == 3 || i % 16 == 5) {
      long fr = 1, fi = i % 16 == 3 ? 1 : -2, r = wr * fr - wi * fi;
      wi = wr * fi + wi * fr, wr = r;
    }
  }
  return wrong + (crealf(w) != wr || cimagf(w) != wi || creal(sum) != sr || cimag(sum) != si);
}

int main(void) {
  int failed = (pairs() != 0) | (accumulated() != 0) << 1 | (complex_products() != 0) << 2;
  if (failed)
    printf("failed: %x\n", failed);
  return failed;
}
