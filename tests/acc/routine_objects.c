// Objects passed to routines and returned by them, where no loop but those of the routines has a level; and what follows a
// call while other threads may still be in the routine.
// also: --gangs 3
#include <stdio.h>

#define N 64

struct sums {
  int all;
  short parts[3];
  double mean;
};

#pragma acc routine vector
static struct sums summed(const int *values, struct sums start) {
  int all = 0;
#pragma acc loop vector reduction(+ : all)
  for (int i = 0; i < N; i++)
    all += values[i];
  start.all += all;
  start.parts[all % 3]++;
  return start;
}

// No loop, and so nothing for which the threads wait.
#pragma acc routine vector
static int first(const int *values) { return values[0]; }

#pragma acc routine vector
static void raise_first(int *values) { values[0] += 3; }

#pragma acc routine vector
static struct sums swapped(struct sums from) {
  struct sums to = from;
  to.parts[0] = from.parts[2];
  to.parts[2] = from.parts[0];
  return to;
}

// Routines that call routines, without loops of their own.
#pragma acc routine worker
static int by_way_of(int seed) {
  int own[N];
  for (int i = 0; i < N; i++)
    own[i] = seed + i;
  struct sums none = {0, {0, 0, 0}, 0};
  return summed(own, none).all;
}

static int results[4][6];

int main(void) {
#pragma acc parallel num_gangs(2) num_workers(2) vector_length(64) copy(results)
#pragma acc loop gang
  for (int g = 0; g < 4; g++) {
    int values[N];
    for (int i = 0; i < N; i++)
      values[i] = i * g;
    struct sums sums = {1, {1, 2, 3}, 4.0};
    sums = summed(values, sums);
    results[g][0] = sums.all;
    sums = swapped(sums);
    sums.parts[2] += 10;
    sums = swapped(sums);
    results[g][1] = sums.parts[0] * 100 + sums.parts[1] * 10 + sums.parts[2];
    results[g][2] = by_way_of(g);
  }
#pragma acc parallel num_gangs(2) num_workers(2) vector_length(64) copy(results)
#pragma acc loop gang
  for (int g = 0; g < 4; g++) {
    int values[N], seen[N];
#pragma acc loop vector
    for (int i = 0; i < N; i++)
      values[i] = i + g;
    int before = first(values);
    values[0] = before + 5;
    before += first(values);
    raise_first(values);
#pragma acc loop vector
    for (int i = 0; i < N; i++)
      seen[i] = values[0];
    int equal = 0;
#pragma acc loop worker reduction(+ : equal)
    for (int i = 0; i < N; i++)
      equal += seen[i] == g + 8;
    results[g][3] = before;
    results[g][4] = values[0];
    results[g][5] = equal;
  }
  for (int g = 0; g < 4; g++)
    for (int k = 0; k < 6; k++)
      printf("%d%c", results[g][k], k < 5 ? ' ' : '\n');
  return 0;
}
