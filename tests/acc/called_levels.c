// The levels of a routine are not given to loops around its calls, on which the program names none.
// also: --gangs 3
#include <stdio.h>

#define N 70

#pragma acc routine vector
static void twice(double *row, int n) {
#pragma acc loop
  for (int i = 0; i < n; i++)
    row[i] *= 2;
}

#pragma acc routine worker
static void thrice(double (*rows)[N], int n) {
#pragma acc loop
  for (int r = 0; r < n; r++) {
#pragma acc loop
    for (int i = 0; i < N; i++)
      rows[r][i] *= 3;
  }
}

#pragma acc routine gang
static void next(double *row, int n) {
#pragma acc loop
  for (int i = 0; i < n; i++)
    row[i] += 1;
}

static double table[4][N];

int main(void) {
  for (int r = 0; r < 4; r++)
    for (int i = 0; i < N; i++)
      table[r][i] = r + i;
#pragma acc parallel copy(table)
#pragma acc loop
  for (int r = 0; r < 4; r++)
    twice(table[r], N);
#pragma acc parallel loop copy(table)
  for (int half = 0; half < 2; half++)
    thrice(table + 2 * half, 2);
#pragma acc parallel num_gangs(3) copy(table)
#pragma acc loop
  for (int r = 0; r < 4; r++)
    next(table[r], N);
#pragma acc kernels loop independent copy(table)
  for (int r = 0; r < 4; r++)
    twice(table[r], N);
  int wrong = 0;
  for (int r = 0; r < 4; r++)
    for (int i = 0; i < N; i++)
      wrong += table[r][i] != 2 * (6 * (r + i) + 1);
  printf("%d wrong\n", wrong);
  return 0;
}
