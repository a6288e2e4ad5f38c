// What is beside the section of a pointer, or beside one of an array by an address that is computed in several
// steps, is the program's: iterations write and read it there.
#include <stdio.h>
#include <stdlib.h>
#define N 64

static int *g;

static int sum(const int *values, int count)
{
  int total = 0;
  for (int i = 0; i < count; i++)
    total = total * 7 % 100003 + values[i];
  return total;
}

static void pointers(int *p, const int *a, int n)
{
#pragma acc parallel loop reduction(+ : p[0:5]) copy(p[0:20]) copyin(a[0:N])
  for (int i = 0; i < 10; i++) {
    p[i % 5] += a[i];
    p[10 + i] = a[i];
    if (i == 8)
      p[7] = p[9] + 1;
  }
  printf("%d\n", sum(p, 20));
#pragma acc parallel loop reduction(+ : p[2:n]) copy(p[0:20]) copyin(a[0:N])
  for (int i = 0; i < 10; i++) {
    int *q = p + 2;
    q += i % n;
    *q += p[10 + i];
    q = &p[8];
    if (i < 2)
      q[i] = 3 + i;
  }
  printf("%d\n", sum(p, 20));
#pragma acc parallel loop gang reduction(+ : p[n:n]) copy(p[0:20]) copyin(a[0:N])
  for (int i = 0; i < 3; i++) {
    p[i] = i;
#pragma acc loop vector reduction(+ : p[n:n])
    for (int j = 0; j < N; j++) {
      p[n + j % n] += a[j] + i;
      if (j == 9)
        p[12 + i] += j;
    }
  }
  printf("%d\n", sum(p, 20));
#pragma acc serial loop vector reduction(max : p[0:3]) copy(p[0:20]) copyin(a[0:N])
  for (int i = 0; i < 12; i++) {
    int *q = &p[i % 3];
    if (a[i] * 9 > *q)
      *q = a[i] * 9;
    p[i + 4] ^= 5;
  }
  printf("%d\n", sum(p, 20));
}

int main(void)
{
  int a[N], v[12], t[3][6], n = 4;
  for (int i = 0; i < N; i++)
    a[i] = i * 5 % 7;
  int *p = malloc(20 * sizeof *p);
  for (int i = 0; i < 20; i++)
    p[i] = i * 10;
  pointers(p, a, n);
  g = p;
#pragma acc parallel loop reduction(+ : g[1:4]) copy(g[0:20]) copyin(a)
  for (int i = 0; i < 12; i++) {
    g[1 + i % 4] += a[i];
    g[5 + i] = g[5 + i] * 2 + i;
  }
  printf("%d\n", sum(p, 20));
  free(p);
  for (int i = 0; i < 12; i++)
    v[i] = i * i;
#pragma acc parallel loop reduction(+ : v[0:3]) copy(v) copyin(a)
  for (int i = 0; i < 9; i++) {
    int *r = &v[3 + i];
    v[i % 3] += a[i];
    *r = *r * 2 + 1;
  }
  printf("%d\n", sum(v, 12));
#pragma acc parallel loop reduction(+ : v[2:n]) copy(v) copyin(a)
  for (int i = 0; i < 6; i++) {
    int *r = v;
    for (int k = 0; k < 12; k++, r++)
      if (k >= 2 && k < 6)
        *r += a[i];
      else if (k == i + 6)
        *r -= 5;
  }
  printf("%d\n", sum(v, 12));
  for (int i = 0; i < 18; i++)
    t[i / 6][i % 6] = i;
#pragma acc parallel loop gang reduction(+ : t[0:1][0:6]) copy(t) copyin(a)
  for (int i = 0; i < 6; i++) {
    int *q = t[1];
    q[i] = a[i] * 2;
    *(&t[2][0] + i) += i;
#pragma acc loop vector reduction(+ : t[0:1][0:6])
    for (int j = 0; j < N; j++) {
      int *s = t[0];
      s += j % 6;
      *s += a[j];
    }
  }
  printf("%d\n", sum(t[0], 18));
}
