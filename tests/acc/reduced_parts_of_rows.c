// How much of a row a reduction's section takes may be known when the program runs only: then the rows are reduced as
// wholes.
#include <stdio.h>

static long table[4][6];

static void rows(int count, int columns) {
#pragma acc parallel loop reduction(+ : table[1 : count][0 : columns]) num_gangs(4)
  for (int i = 0; i < 1000; i++)
    table[1 + i % count][i % columns] += i;
}

static void variable(int n, int m, int columns) {
  int a[n][m];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      a[i][j] = 100 * i + j;
#pragma acc parallel loop reduction(max : a[0 : n][0 : columns]) copy(a)
  for (int i = 0; i < n * columns * 50; i++)
    if (a[i % n][i / n % columns] < i)
      a[i % n][i / n % columns] = i;
  long sum = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      sum = sum * 7 % 1000003 + a[i][j];
  printf("maxima %ld\n", sum);
}

int main(void) {
  rows(2, 4);
  rows(3, 5);
  for (int i = 0; i < 4; i++)
    printf("%ld %ld %ld %ld %ld %ld\n", table[i][0], table[i][1], table[i][2], table[i][3], table[i][4], table[i][5]);
  variable(3, 7, 4);
  return 0;
}
