// Subscripts that are sums, whose terms are added to addresses one by one: between two steps an address may be outside of its
// object, unsigned sums wrap around, counters change between a sum and its use, and a bound may be near the largest number.
// also: --gangs 3
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 48, SIDE = 16 };

static void neighbours(int n, const int *restrict x, int *restrict y) {
#pragma acc parallel loop collapse(2) copyin(x[0 : n * n]) copy(y[0 : n * n])
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < n - 1; j++) {
      int at = i * n + j;
      y[at] = x[at - n] + 2 * x[at + n] + 3 * x[at - 1] + 4 * x[at + 1] - x[(i - 1) * n + j + 1];
    }
}

/* The sum wraps around to a small number, which is what the subscript is. */
static void unsigned_sums(int n, unsigned far, const int *x, int *y) {
#pragma acc parallel loop copyin(x[0 : n]) copy(y[0 : n])
  for (int i = 0; i < n; i++) {
    unsigned at = far + (unsigned)i + 1u;
    y[i] = x[at % (unsigned)n] + x[(int)(far + (unsigned)i + 8u) % n];
  }
}

static void products(int n, const int *x, const int *y, int *z) {
#pragma acc parallel loop collapse(2) copyin(x[0 : n * n], y[0 : n * n]) copy(z[0 : n * n])
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      int sum = 0;
      for (int k = 0; k < n - 1; k++)
        sum += x[i * n + k] * y[k * n + j] - x[i * n + k + 1];
      for (int k = n - 1; k > 0; k -= 2)
        sum += x[k * n + i] - y[j * n + k - 1];
      z[i * n + j] = sum;
    }
}

/* Atomic operations ask an address where it leads, which must be the whole address. */
static void own(int n, int *y) {
#pragma acc parallel loop copy(y[0 : n])
  for (int i = 0; i < n; i++) {
    double mine[4] = {i, 1, 2, 3};
    double *which = i % 3 ? mine : mine + 1;
    for (int k = 1; k < 3; k++) {
#pragma acc atomic
      which[7 - (i % 2 + 6)] = which[7 - (i % 2 + 6)] - k;
      mine[k + 1] += mine[k - 1];
    }
    y[i] = (int)(mine[0] + 10 * mine[1] + 100 * mine[2] + mine[3]);
  }
}

static void changed(int n, const int *x, int *y) {
#pragma acc parallel loop copyin(x[0 : n]) copy(y[0 : n])
  for (int i = 0; i < n; i++) {
    int at = i % 7, sum = 0, late = 0;
    for (int k = 0; k < 9; k++) {
      int here = at + k;
      at = (at * 5 + 1) % 11;
      if (k % 3 == 0)
        late = here + 1;
      sum += x[here] + x[late + at];
    }
    y[i] = sum;
  }
}

/* The counter stops just below the largest number. */
static void large_counters(int n, const int *x, int *y) {
#pragma acc parallel loop copyin(x[0 : n]) copy(y[0 : n])
  for (int i = 0; i < n; i++) {
    int sum = 0;
    for (int k = INT_MAX - 6; k < INT_MAX; k++)
      sum += x[k - (INT_MAX - 6)] * (i + 1);
    for (int k = INT_MIN; k < INT_MIN + 5; k++)
      sum -= x[k - INT_MIN];
    y[i] = sum;
  }
}

static void show(const char *name, int n, const int *x) {
  unsigned sum = 0;
  for (int i = 0; i < n; i++)
    sum = sum * 31 + (unsigned)x[i];
  printf("%s %u\n", name, sum);
}

int main(void) {
  static int x[SIDE * SIDE], y[SIDE * SIDE], z[SIDE * SIDE];
  for (int i = 0; i < SIDE * SIDE; i++) {
    x[i] = i * 7 % 31;
    y[i] = i * 11 % 29;
  }
  neighbours(SIDE, x, z);
  show("neighbours", SIDE * SIDE, z);
  unsigned_sums(N, UINT_MAX - 6, x, z);
  show("unsigned sums", N, z);
  products(SIDE, x, y, z);
  show("products", SIDE * SIDE, z);
  own(N, z);
  show("own", N, z);
  changed(N, x, z);
  show("changed", N, z);
  large_counters(N, x, z);
  show("large counters", N, z);
  return 0;
}
