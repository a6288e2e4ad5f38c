// What is loaded again may be loaded once only where nothing writes it in between: other pointers to the same array, calls,
// atomic operations, barriers, iterations that overwrite what the next one reads, loops without an iteration.
// also: --gangs 3
#include <stdio.h>
#include <stdlib.h>

enum { N = 64 };

static int table[N], counts[4];
static const int primes[8] = {2, 3, 5, 7, 11, 13, 17, 19};
#pragma acc declare create(table)

/* `y` may be `x`: the second load of `x[i]` sees what was stored. */
static void same_iteration(int n, int *x, int *y) {
#pragma acc parallel loop copy(x[0 : n]) present_or_copy(y[0 : n])
  for (int i = 0; i < n; i++) {
    int before = x[i];
    y[i] = before + 1;
    y[i] = x[i] * 10 + before;
  }
}

/* Each iteration reads what the one before wrote. */
static void chain(int n, int *x, int *y) {
#pragma acc serial copy(x[0 : n]) present_or_copy(y[0 : n])
  for (int i = 1; i < n; i++)
    y[i] = x[0] + x[i - 1];
}

static void apart(int n, const int *restrict x, int *restrict y) {
#pragma acc parallel loop copyin(x[0 : n]) copy(y[0 : n])
  for (int i = 1; i < n - 1; i++) {
    y[i] = x[i - 1] + x[0];
    y[i] += x[i + 1] + x[0] + primes[i & 7];
  }
}

/* The pointer is good only if the loop has an iteration. */
static int none(int rows, int n, int *from, int *starts) {
  int sum = 0;
#pragma acc parallel loop copyin(starts[0 : rows + 1]) present(from[0 : n]) reduction(+ : sum)
  for (int row = 0; row < rows; row++) {
    int *at = starts[row] < n ? from + starts[row] : (int *)0;
    for (int k = starts[row]; k < starts[row + 1]; k++)
      sum += at[0] * (k + 1);
  }
  return sum;
}

#pragma acc routine seq
static int bump(int *at) {
  *at += 3;
  return *at;
}

#pragma acc routine seq
__attribute__((noinline)) static void scatter(int *at, int by, int place) {
  at[0] = by;
  table[place & (N - 1)] = by;
}

static void called(int n, int *x, int *y) {
#pragma acc parallel loop copy(x[0 : n], y[0 : n])
  for (int i = 0; i < n; i++) {
    int first = x[i];
    int second = bump(&x[i]);
    y[i] = first * 100 + second * 10 + x[i];
    scatter(&y[i], y[i] + 1, i);
    y[i] += x[i];
  }
}

/* Written by a function that is given the pointer, and read through it. */
static void given(int n, int *restrict x, int *restrict y) {
#pragma acc parallel loop copy(x[0 : n], y[0 : n])
  for (int i = 0; i < n; i++) {
    int before = x[i];
    scatter(&x[i], before * 2, i);
    y[i] = x[i] + before;
  }
}

static void declared(int n, int *y) {
#pragma acc parallel loop copy(y[0 : n])
  for (int i = 0; i < n; i++) {
    int before = table[i];
    scatter(&y[i], i + 5, i);
    y[i] += table[i] * 2 + before * 0;
  }
}

static void atomics(int n, int *restrict x) {
#pragma acc parallel loop copy(x[0 : n], counts)
  for (int i = 0; i < n; i++) {
    int before = x[i], after;
#pragma acc atomic update
    x[i] += 5;
#pragma acc atomic capture
    after = counts[i & 3]++;
    x[i] = x[i] * 2 - before + (after < 0);
  }
}

/* Two loops of one launch: the second reads what the first wrote. */
static void stretches(int n, int *restrict x, int *restrict y) {
#pragma acc parallel num_gangs(1) copyin(x[0 : n]) copy(y[0 : n])
  {
    int rows[N];
#pragma acc loop worker vector
    for (int i = 0; i < n; i++)
      rows[i] = x[i] + y[i];
#pragma acc loop worker vector
    for (int i = 0; i < n; i++)
      y[i] = rows[n - 1 - i] + rows[0] + x[i];
#pragma acc loop worker vector
    for (int i = 0; i < n; i++)
      rows[i] = y[n - 1 - i];
#pragma acc loop worker vector
    for (int i = 0; i < n; i++)
      y[i] = rows[n - 1 - i] + rows[0];
  }
}

static void phases(int n, int *restrict x, int *restrict y) {
#pragma acc kernels copy(x[0 : n], y[0 : n])
  {
    for (int i = 0; i < n; i++)
      y[i] = x[i] + x[0];
    for (int i = 0; i < n; i++)
      x[i] = y[n - 1 - i] + y[0];
    for (int i = 0; i < n; i++)
      y[i] = x[n - 1 - i] - x[0];
  }
}

static void polled(int n, volatile int *x, int *y) {
#pragma acc parallel loop copy(x[0 : n], y[0 : n])
  for (int i = 0; i < n; i++) {
    y[i] = x[i] + x[i];
    x[i] = 1;
    x[i] = y[i];
    y[i] = x[i] + x[i];
  }
}

/* A narrow store cuts; the bits of a number are loaded as another type. */
static void narrow(int n, unsigned char *bytes, int *y) {
  union {
    float real;
    unsigned bits;
  } both;
#pragma acc parallel loop copy(bytes[0 : n], y[0 : n]) private(both)
  for (int i = 0; i < n; i++) {
    int wide = i * 37;
    bytes[i] = wide;
    both.real = i;
    y[i] = bytes[i] + (int)(both.bits >> 23);
    both.bits += 1 << 23;
    y[i] += (int)both.real;
  }
}

/* One branch writes. */
static void branches(int n, int *x, int *y) {
#pragma acc parallel loop copy(x[0 : n]) copy(y[0 : n])
  for (int i = 0; i < n; i++) {
    int sum = x[i];
    if (i & 1)
      x[i] = sum + 7;
    else
      sum += 1;
    sum += x[i] * 2;
    for (int k = 0; k < (i & 3); k++) {
      sum += x[i];
      if (k == 1)
        x[i] += 1;
    }
    y[i] = sum + x[i];
  }
}

/* Indices of merged loops, with steps and counters of all kinds. */
static void merged(int n, int m, int *x) {
#pragma acc parallel loop collapse(3) copy(x[0 : n * m * 5])
  for (int i = n; i > 0; i--)
    for (long j = 0; j < m; j++)
      for (unsigned char k = 0; k < 5; k++)
        x[((i - 1) * m + j) * 5 + k] += i * 10000 + (int)j * 10 + k;
#pragma acc parallel loop collapse(2) copy(x[0 : n * m * 5])
  for (int i = 0; i < n * m; i += 2)
    for (unsigned k = 0; k < 10; k += 3)
      if (i + 1 < n * m || k < 5)
        x[i * 5 + k] -= k;
}

static void show(const char *name, int n, const int *x) {
  unsigned sum = 0;
  for (int i = 0; i < n; i++)
    sum = sum * 31 + (unsigned)x[i];
  printf("%s %u\n", name, sum);
}

int main(void) {
  int x[N], y[N], starts[9] = {0, 3, 3, 7, 7, 7, 20, 64, 64};
  unsigned char bytes[N];
  for (int i = 0; i < N; i++) {
    x[i] = i * 7 % 11;
    y[i] = i * 5 % 13;
    table[i] = i;
  }
#pragma acc update device(table)
  same_iteration(N, x, y);
  show("same_iteration", N, y);
#pragma acc data copy(x)
  same_iteration(N, x, x);
  show("same_iteration, one array", N, x);
  for (int i = 0; i < N; i++)
    x[i] = i % 3;
  chain(N, x, y);
  show("chain", N, y);
#pragma acc data copy(x)
  chain(20, x, x);
  show("chain, one array", N, x);
  apart(N, x, y);
  show("apart", N, y);
#pragma acc data copyin(y)
  printf("none %d\n", none(8, N, y, starts));
  called(N, x, y);
  show("called", N, y);
  for (int i = 0; i < N; i++)
    x[i] = i % 50;
  given(N, x, y);
  show("given", N, y);
  show("given", N, x);
  declared(N, y);
  show("declared", N, y);
  atomics(N, x);
  show("atomics", N, x);
  show("counts", 4, counts);
  stretches(N, x, y);
  show("stretches", N, y);
  phases(N, x, y);
  show("phases", N, y);
  polled(N, x, y);
  show("polled", N, y);
  narrow(N, bytes, y);
  show("narrow", N, y);
  branches(N, x, y);
  show("branches", N, y);
  int *volume = calloc(6 * 9 * 5 + 8, sizeof(int));
  merged(6, 9, volume);
  show("merged", 6 * 9 * 5, volume);
  free(volume);
  return 0;
}
