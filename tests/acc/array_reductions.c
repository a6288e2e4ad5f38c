// Reductions over arrays of several dimensions, sections of them, and arrays of structs.
// also: --gangs 3
#include <stdio.h>

struct pair {
  int count;
  double sum;
};

static void rows(int n, double (*table)[n], int most) {
#pragma acc parallel loop reduction(+ : table[0:2])
  for (int i = 0; i < most; i++)
    table[i & 1][i % n] += i;
}

/* The section of the construct is carried inward to the loop, and its length with it. */
static void counts(int n, int *table, int most) {
#pragma acc parallel reduction(+ : table[0 : n])
#pragma acc loop gang vector
  for (int i = 0; i < most; i++)
    table[i % 3] += 2;
}

int main(void) {
  int grid[3][4] = {{1}};
#pragma acc parallel loop reduction(+ : grid)
  for (int i = 0; i < 257; i++)
    grid[i % 3][i % 4] += i;
  for (int i = 0; i < 12; i++)
    printf("%d ", grid[i / 4][i % 4]);

  long cube[2][2][2] = {{{7}}};
#pragma acc parallel loop gang reduction(max : cube[1:1])
  for (int i = 0; i < 100; i++)
#pragma acc loop vector reduction(max : cube[1:1])
    for (int j = 0; j < 3; j++)
      if (i * j > cube[1][i & 1][j & 1])
        cube[1][i & 1][j & 1] = i * j;
  printf("\n%ld %ld %ld %ld %ld\n", cube[0][0][0], cube[1][0][0], cube[1][0][1], cube[1][1][0], cube[1][1][1]);

  struct pair pairs[3] = {{10, 0.5}};
#pragma acc parallel loop reduction(+ : pairs)
  for (int i = 0; i < 99; i++) {
    pairs[i % 3].count++;
    pairs[i % 3].sum += i * 0.5;
  }
  for (int i = 0; i < 3; i++)
    printf("%d %g ", pairs[i].count, pairs[i].sum);

  double table[3][5] = {{0}};
  rows(5, table, 50);
  printf("\n%g %g %g %g\n", table[0][0], table[0][4], table[1][3], table[2][0]);

  int numbers[3] = {1, 2, 3};
  counts(3, numbers, 100);
  printf("%d %d %d\n", numbers[0], numbers[1], numbers[2]);
  return 0;
}
