// An element as a reduction variable: its directive chooses it, mostly by the counter of a loop around. Other
// elements that the loop uses are those of the object, however large it is.
#include <stdio.h>
#include <stdlib.h>

#define N 24
#define M 40


static double large[100000];
static int matrix[N][M], counts[N];
static long product[4] = {1, 1, 1, 1};

static void sums(int n, int m, const double *a, double *y) {
#pragma acc parallel loop gang copyin(a[0 : n * m]) copy(y[0 : n])
  for (int i = 0; i < n; i++) {
#pragma acc loop vector reduction(+ : y[i])
    for (int j = 0; j < m; j++)
      y[i] += a[i * m + j];
  }
}

int main(void) {
  double *a = malloc(N * M * sizeof *a), *y = malloc(N * sizeof *y);
  int first = 3, places[N], small[N];
  for (int i = 0; i < N; i++) {
    y[i] = i;
    counts[i] = 0;
    places[i] = (i * 5) % N;
    small[i] = i;
    for (int j = 0; j < M; j++)
      matrix[i][j] = a[i * M + j] = (i * 7 + j) % 11;
  }
  sums(N, M, a, y);
  double sum = 0;
  for (int i = 0; i < N; i++)
    sum += y[i] * i;
  printf("rows behind a pointer %g\n", sum);

  // A large object, and gangs that add to elements that differ.
#pragma acc parallel loop gang worker num_gangs(4) num_workers(2) copy(large)
  for (int i = 0; i < N; i++) {
#pragma acc loop vector reduction(+ : large[4 * i + 1])
    for (int j = 0; j < M; j++)
      large[4 * i + 1] += matrix[i][j];
  }
  sum = 0;
  for (int i = 0; i < 4 * N; i++)
    sum += large[i] * i;
  printf("of a large object %g\n", sum);

  // All gangs add to one element, or to one section.
#pragma acc parallel loop gang num_gangs(4) copy(counts)
  for (int i = 0; i < N; i++) {
#pragma acc loop worker reduction(+ : counts[first])
    for (int j = 0; j < M; j++)
      counts[first] += matrix[i][j] > 5;
  }
#pragma acc parallel loop gang worker num_gangs(4) copy(counts)
  for (int i = 0; i < N; i++) {
#pragma acc loop vector reduction(+ : counts[first + 2 : first])
    for (int j = 0; j < M; j++)
      counts[first + 2 + j % first] += matrix[i][j];
  }
#pragma acc parallel loop gang vector reduction(* : product[2])
  for (int i = 0; i < N; i++)
    product[2] *= i % 5 == 1 ? 3 : 1;
  printf("of all gangs %d %d %d %d %ld\n", counts[3], counts[5], counts[6], counts[7], product[2]);

  // The loop reads and writes elements beside the one that it reduces.
#pragma acc parallel loop gang copy(matrix)
  for (int i = 0; i < N; i++) {
#pragma acc loop worker vector reduction(max : matrix[i][0])
    for (int j = 1; j < M; j++) {
      matrix[i][0] = matrix[i][j] > matrix[i][0] ? matrix[i][j] : matrix[i][0];
      matrix[i][j] += 100;
    }
  }
  long beside = 0;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < M; j++)
      beside += matrix[i][j] * (i + j);
  printf("beside others %ld\n", beside);

  // Nests, and subscripts that are elements themselves.
#pragma acc parallel loop gang copy(small) copyin(places)
  for (int i = 0; i < N; i++) {
#pragma acc loop worker reduction(+ : small[places[i]])
    for (int j = 0; j < M; j += 8) {
#pragma acc loop vector reduction(+ : small[places[i]])
      for (int k = 0; k < 8; k++)
        small[places[i]] += matrix[i][j + k];
    }
  }
  long nested = 0;
  for (int i = 0; i < N; i++)
    nested += small[i] * (long)i;
  printf("nested %ld\n", nested);

  // One element, which the loop also names in another way.
  int one[1] = {5};
#pragma acc parallel loop gang vector reduction(+ : one[0 : 1]) copy(one)
  for (int i = 0; i < N; i++) {
    one[0] += i;
    one[i / N] = one[i / N] + 2 * i;
  }
  printf("named twice %d\n", one[0]);

  // In `kernels`.
  int own[N];
#pragma acc kernels loop gang independent copyout(own)
  for (int i = 0; i < N; i++) {
    own[i] = 1;
#pragma acc loop vector reduction(+ : own[i])
    for (int j = 0; j < M; j++)
      own[i] += j ^ i;
  }
  long total = 0;
  for (int i = 0; i < N; i++)
    total += own[i] * (long)(i + 1);
  printf("kernels %ld\n", total);
  free(a);
  free(y);
}
