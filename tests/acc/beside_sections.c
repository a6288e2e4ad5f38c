// What is beside the section that `reduction` names is the program's: iterations write and read it there.
#include <stdio.h>
#define N 64

static int t[9], u[2][5];

static int sum(const int *values, int count)
{
  int total = 0;
  for (int i = 0; i < count; i++)
    total = total * 7 % 100003 + values[i];
  return total;
}

int main(void)
{
  int a[N], k = 3, n = 2;
  for (int i = 0; i < N; i++)
    a[i] = i * 5 % 7;
  // A subscript that is computed, from data and from the counter.
#pragma acc kernels copy(t)
#pragma acc loop reduction(+ : t[0 : 4])
  for (int i = 0; i < N; i++)
    t[a[i]] += i;
  printf("%d\n", sum(t, 9));
#pragma acc parallel loop reduction(+ : t[0 : 2]) copy(t)
  for (int i = 0; i < 6; i++) {
    t[0] += a[i];
    t[1] += i;
    t[3 + i] = t[3 + i] * 2 + a[i];
  }
  printf("%d\n", sum(t, 9));
  // A section that begins and ends where is known at run time only; each level.
#pragma acc parallel loop gang reduction(+ : t[k : n]) copy(t)
  for (int i = 0; i < 4; i++) {
#pragma acc loop vector reduction(+ : t[k : n])
    for (int j = 0; j < N; j++) {
      t[k + j % 2] += a[j];
      if (j == 5 * i)
        t[(i + 5) % 9 == 0 ? 0 : i + 5] += j;
    }
  }
  printf("%d\n", sum(t, 9));
#pragma acc parallel loop gang worker vector reduction(max : t[2 : 3]) copy(t)
  for (int i = 0; i < N; i++) {
    if (t[2 + i % 3] < a[i] * i)
      t[2 + i % 3] = a[i] * i;
    if (i < 2)
      t[i] = 40 - i;
    if (i == 7)
      t[8] = t[6] + 1;
  }
  printf("%d\n", sum(t, 9));
#pragma acc parallel loop reduction(+ : u[0 : 1][0 : 5]) copy(u)
  for (int i = 0; i < 5; i++) {
    u[0][i] += a[i];
    u[1][i] = i * 3;
  }
  printf("%d\n", sum(u[0], 10));
#pragma acc parallel num_gangs(3) reduction(+ : t[6 : 1]) copy(t)
#pragma acc loop gang
  for (int i = 0; i < 6; i++) {
    t[6] += i;
    t[i] = -i;
  }
  printf("%d\n", sum(t, 9));
  // Loops of a thread.
  int v[4] = {1, 2, 3, 4};
#pragma acc serial copy(v)
#pragma acc loop reduction(+ : v[1 : 2])
  for (int i = 0; i < N; i++) {
    v[i % 4] += i;
    v[3] ^= v[0];
  }
  printf("%d\n", sum(v, 4));
}
