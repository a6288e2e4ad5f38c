// Subarrays through pointers in `private` and `firstprivate`: each gang, or each iteration, has an array of its own.
// also: --gangs 3
#include <stdio.h>
#include <stdlib.h>

#define ROWS 6

static void of_gangs(int n, const int *a, int *sums) {
  int *row = malloc(n * sizeof *row);
  for (int i = 0; i < n; i++)
    row[i] = -1;
#pragma acc parallel num_gangs(ROWS) private(row[0:n]) copyin(a[0:ROWS * n]) copyout(sums[0:ROWS])
  {
#pragma acc loop gang
    for (int r = 0; r < ROWS; r++) {
#pragma acc loop worker vector
      for (int i = 0; i < n; i++)
        row[i] = a[r * n + i] + r;
      int sum = 0;
#pragma acc loop seq
      for (int i = n - 1; i >= 0; i--)
        sum = 3 * sum + row[i];
      sums[r] = sum;
    }
  }
  printf("gangs %d %d\n", row[0], row[n - 1]);
  free(row);
}

static void of_iterations(int n, const int *a, int *sums) {
  int *window = NULL, fixed[4] = {7, 7, 7, 7};
#pragma acc parallel loop private(window[2:n], fixed[1:2]) copyin(a[0:ROWS * n]) copyout(sums[0:ROWS])
  for (int r = 0; r < ROWS; r++) {
    for (int i = 0; i < n; i++)
      window[2 + i] = a[r * n + n - 1 - i];
    fixed[1] = window[2];
    fixed[2] = window[n + 1];
    sums[r] = 100 * fixed[1] + fixed[2];
  }
  printf("iterations %d %d %d\n", window == NULL, fixed[1], fixed[2]);
}

static void first(int n, const int *a, int *sums) {
  int *start = malloc(n * sizeof *start);
  for (int i = 0; i < n; i++)
    start[i] = 10 * i;
#pragma acc parallel num_gangs(ROWS) firstprivate(start[1:n - 1]) copyin(a[0:ROWS * n]) copyout(sums[0:ROWS])
  {
#pragma acc loop gang
    for (int r = 0; r < ROWS; r++) {
      int sum = 0;
#pragma acc loop worker reduction(+ : sum)
      for (int i = 1; i < n; i++)
        sum += start[i] + a[r * n + i];
      sums[r] = sum;
    }
#pragma acc loop vector
    for (int i = 1; i < n; i++)
      start[i] = -1;
  }
  printf("first %d %d\n", start[0], start[n - 1]);
  free(start);
}

static void print(const int *sums) {
  for (int r = 0; r < ROWS; r++)
    printf(" %d", sums[r]);
  printf("\n");
}

int main(void) {
  enum { N = 9 };
  int a[ROWS * N], sums[ROWS];
  for (int i = 0; i < ROWS * N; i++)
    a[i] = i % 7;
  of_gangs(N, a, sums);
  print(sums);
  of_iterations(N, a, sums);
  print(sums);
  first(N, a, sums);
  print(sums);
  return 0;
}
