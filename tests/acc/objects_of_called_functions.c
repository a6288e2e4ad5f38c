// Functions without `routine` that regions call use objects that no `declare` names and that the host changes: scalars, arrays,
// pointers to data that is on the device, objects of a function, objects that a data construct keeps there. The value is the
// host's, and what the device leaves is seen.
// also: --gangs 3
#include <stdio.h>
#include <stdlib.h>

enum { N = 100 };

static double factor = 2;
static int table[8], histogram[4];
static struct {
  float low, high;
} range = {0, 1};
double *field;
int steps = 1;

static double scaled(double x) { return factor * x; }

static int clamped(int x) {
  return x < range.low ? (int)range.low : x > range.high ? (int)range.high : x;
}

static int looked_up(int i) { return table[i & 7] + clamped(i); }

static double at(int i) { return field[i] * steps; }

static void count(int i) {
#pragma acc atomic
  histogram[i & 3]++;
}

static int numbered(void) {
  static int calls = 40;
  return calls++;
}

static int by_value(int *sum) {
  int wrong = 0;
  for (int round = 0; round < 3; round++) {
    double o[N];
    int s = 0;
    factor = 5 + round;
    range.low = round;
    range.high = 50 + round;
    for (int i = 0; i < 8; i++)
      table[i] = i * round;
#pragma acc parallel loop copyout(o) reduction(+ : s)
    for (int i = 0; i < N; i++) {
      o[i] = scaled(i);
      s += looked_up(i);
    }
    for (int i = 0; i < N; i++)
      wrong += o[i] != i * (5 + round);
    *sum += s;
  }
  return wrong;
}

static int results(void) {
#pragma acc parallel loop
  for (int i = 0; i < N; i++)
    count(i);
#pragma acc parallel loop async(1)
  for (int i = 0; i < N; i++)
    count(i * 4);
#pragma acc wait
  int number = 0;
#pragma acc serial copy(number)
  number = numbered() + numbered();
  return histogram[0] * 1000 + histogram[3] + number + numbered();
}

static double through_pointer(int n) {
  double sum = 0;
  field = malloc(n * sizeof *field);
  for (int i = 0; i < n; i++)
    field[i] = i;
  steps = 3;
#pragma acc enter data copyin(field[0 : n])
#pragma acc parallel loop reduction(+ : sum)
  for (int i = 0; i < n; i++)
    sum += at(i);
#pragma acc exit data delete (field[0 : n])
  free(field);
  return sum;
}

/* What a data construct brought to the device stays as it is there. */
static double kept(void) {
  double a = 0, b = 0;
  factor = 7;
#pragma acc data copyin(factor)
  {
    factor = 100;
#pragma acc parallel num_gangs(1) present(factor) copyout(a)
    {
      factor += 1;
      a = scaled(1);
    }
#pragma acc parallel num_gangs(1) copyout(b)
    b = scaled(10);
  }
  return a * 1000 + b + factor / 1000;
}

int main(int argc, char **argv) {
  int sum = 0, wrong = by_value(&sum);
  printf("%d wrong, %d\n", wrong, sum);
  printf("%d\n", results());
  printf("%g\n", through_pointer(N));
  double found = kept();
  // With memory of its own: 8 and 80; without: 101 and 1010.
  printf("%d\n", found == 8 * 1000 + 80 + .1 || found == 101 * 1000 + 1010 + .101);
  return argc > 99 && argv[0] == (char *)table;
}
