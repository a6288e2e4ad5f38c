// Rows that each iteration has for itself: threads of a gang may load and store them for each other.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST = 2100 * 130 };

static double a[MOST], b[MOST];
static float f[MOST], g[MOST];
static int k[MOST], l[MOST];

typedef struct {
  float at[3], speed[3], mass;
  int kind;
  float rest[5];
} Body;

static Body bodies[2100];

static void fill(void) {
  for (int i = 0; i < MOST; i++) {
    unsigned hash = i * 2654435761u;
    k[i] = hash >> 20;
    l[i] = -1;
    a[i] = (hash >> 8) * 0x1p-24 + 0.5;
    b[i] = -2;
    f[i] = (hash >> 12) * 0x1p-20f + 0.5f;
    g[i] = -3;
  }
  for (int i = 0; i < 2100; i++)
    bodies[i] = (Body){{f[i], f[i + 1], f[i + 2]}, {f[i + 3], f[i + 4], f[i + 5]}, 2, k[i] % 3, {1, 2, 3, 4, 5}};
}

static double sum(int n) {
  double all = 0;
  for (int i = 0; i < n; i++)
    all += (a[i] + 2 * b[i] + 3 * f[i] + 5 * g[i] + k[i] + 7 * l[i]) * (i % 13 + 1);
  for (int i = 0; i < 2100; i++)
    all += bodies[i].at[0] + 2 * bodies[i].at[1] + 3 * bodies[i].at[2] + bodies[i].speed[i % 3];
  return all;
}

// Rows that are as far apart as they are long, or farther; read twice, written once.
static void normalised(int n, int m, int apart, const float *from, float *to) {
#pragma acc parallel loop copyin(from[0:n * apart]) copy(to[0:n * apart])
  for (int i = 0; i < n; i++) {
    float square = 0;
    for (int j = 0; j < m; j++)
      square += from[i * apart + j] * from[i * apart + j];
    float by = 1 / sqrtf(square);
    for (int j = 0; j < m; j++)
      to[i * apart + j] = from[i * apart + j] * by;
  }
}

// Rows that overlap where the step is shorter than the row.
static void windows(int n, int m, int step, const double *from, double *to) {
#pragma acc parallel loop copyin(from[0:n * step + m]) copy(to[0:n])
  for (int i = 0; i < n; i++) {
    double most = from[i * step];
    for (int j = 1; j < m; j++)
      if (from[i * step + j] > most)
        most = from[i * step + j];
    to[i] = most;
  }
}

// In place, forth and back.
static void solved(int n, int m, double *x) {
#pragma acc parallel loop copy(x[0:n * m])
  for (int i = 0; i < n; i++) {
    for (int j = 1; j < m; j++)
      x[i * m + j] -= 0.5 * x[i * m + j - 1];
    for (int j = m - 2; j >= 0; j--)
      x[i * m + j] = (x[i * m + j] - 0.25 * x[i * m + j + 1]) * 0.75;
  }
}

// What is written in some iterations of the inner loop only, or from some place on, and loops that are left.
static void some(int n, int m, const int *from, int *to) {
#pragma acc parallel loop copyin(from[0:n * m]) copy(to[0:n * m])
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < m; j++)
      if (from[i * m + j] % 3 == 0)
        to[i * m + j] = from[i * m + j];
    for (int j = i % m; j < m; j++)
      to[i * m + j] += 1;
    int at = 0;
    while (at < m && from[i * m + at] % 7)
      at++;
    if (at < m)
      to[i * m + at] -= 3;
    int first = 0;
    do
      first += from[i * m + first % m] & 1;
    while (++at < m);
    to[i * m] ^= first;
  }
}

// Both pointers may lead to the same memory, a row apart or the same one.
static void shifted(int n, int m, const int *from, int *to) {
#pragma acc parallel loop present(from[0:n * m], to[0:n * m])
  for (int i = 0; i < n; i++) {
    int last = 0;
    for (int j = 0; j < m; j++) {
      to[i * m + j] = from[i * m + (j ? j - 1 : 0)] + last;
      last = from[i * m + j] & 15;
    }
  }
}

// A matrix and two vectors each, without loops when the compiler is done.
static void small(int n, const float (*m)[5][5], const float (*x)[5], float (*y)[5]) {
#pragma acc parallel loop copyin(m[0:n], x[0:n]) copyout(y[0:n])
  for (int i = 0; i < n; i++)
    for (int row = 0; row < 5; row++) {
      float all = 0;
      for (int column = 0; column < 5; column++)
        all += m[i][row][column] * x[i][column];
      y[i][row] = all;
    }
}

// Members of structures, some written by some.
static void moved(int n, Body *all, float by) {
#pragma acc parallel loop copy(all[0:n])
  for (int i = 0; i < n; i++) {
    float square = 0;
    for (int d = 0; d < 3; d++)
      square += all[i].speed[d] * all[i].speed[d];
    for (int d = 0; d < 3; d++)
      all[i].at[d] += by * all[i].speed[d] / (1 + square * all[i].mass);
    if (all[i].kind == 1)
      all[i].speed[1] = -all[i].speed[1];
  }
}

// Elements that lie anywhere.
typedef struct __attribute__((packed)) {
  char kind;
  float at[12];
} Packed;

static Packed packed[300];

static void weighed(int n, Packed *all) {
#pragma acc parallel loop copy(all[0:n])
  for (int i = 0; i < n; i++) {
    float sum = 0;
    for (int d = 0; d < 12; d++)
      sum += all[i].at[d] * d;
    for (int d = 0; d < 12; d++)
      all[i].at[d] = sum + d;
  }
}

// Distances to centres: a row is read once for each.
static void nearest(int n, int m, int centres, const double *points, const double *at, int *to) {
#pragma acc parallel loop copyin(points[0:n * m], at[0:centres * m]) copyout(to[0:n])
  for (int i = 0; i < n; i++) {
    double least = 1e300;
    int found = -1;
    for (int c = 0; c < centres; c++) {
      double square = 0;
      for (int j = 0; j < m; j++)
        square += (points[i * m + j] - at[c * m + j]) * (points[i * m + j] - at[c * m + j]);
      if (square < least) {
        least = square;
        found = c;
      }
    }
    to[i] = found;
  }
}

int main(void) {
  static const int sizes[][2] = {{2049, 19}, {300, 32}, {257, 130}, {700, 7}, {256, 6}, {255, 40}, {1000, 1}, {260, 353}, {400, 0}};
  for (int at = 0; at < 9; at++) {
    int n = sizes[at][0], m = sizes[at][1];
    fill();
    normalised(n, m, m, f, g);
    normalised(n, m, m + 3, f, g);
    if (m > 0)
      windows(n, m, m, a, b);
    windows(n, m + 1, 5, a, b);
    solved(n, m, a);
    if (m > 0)
      some(n, m, k, l);
    nearest(n, m, 5, a, b, l);
    small(n, (const float (*)[5][5])f, (const float (*)[5])f, (float (*)[5])g);
    moved(n, bodies, 0.5f);
    printf("%d by %d: %.10g\n", n, m, sum(MOST));
  }
  double of_packed = 0;
  for (int i = 0; i < 300; i++)
    for (int d = 0; d < 12; d++)
      packed[i].at[d] = (i * 12 + d) % 17;
  weighed(300, packed);
  for (int i = 0; i < 300; i++)
    for (int d = 0; d < 12; d++)
      of_packed += packed[i].at[d] * (d + 1);
  printf("%.10g\n", of_packed);
  fill();
  int *both = k;
#pragma acc data copy(both[0:MOST])
  {
    shifted(1000, 40, both, both);
    shifted(900, 50, both + 45000, both);
    shifted(900, 50, both, both + 45000);
    shifted(1000, 1, both + 100000, both + 101000);
  }
  printf("%.10g\n", sum(MOST));
  return 0;
}
