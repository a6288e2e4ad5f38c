// Functions that regions call, with and without `routine`, and the objects that they use: constants, arrays of constants, what
// nobody writes, what belongs to the device alone, and what `declare` and `update` keep alike.
#include <stdio.h>

static const double factors[3] = {1.5, 2.5, 3.5};
static const struct { int shift; double scale[2]; } setup = {3, {0.5, 4}};
const double unit = 0.25;
double unwritten = 8;

double factor = 2;
#pragma acc declare copyin(factor)
int table[4];
#pragma acc declare create(table)
int hits;
#pragma acc declare copyin(hits)

#pragma acc routine seq
static double constants(int i) {
  return factors[i % 3] + setup.scale[i & 1] + setup.shift;
}

static double scaled(double x) {
  return factor * x + unit + unwritten + constants(1);
}

static int looked_up(int i) {
#pragma acc atomic
  hits += 1;
  return table[i & 3];
}

static int device_only(int i) {
  static int squares[4] = {0, 1, 4, 9};
  return squares[i & 3];
}

int main(void) {
  double o[16];
  int n[16], failed = 0;
  factor = 5;
#pragma acc update device(factor)
  for (int i = 0; i < 4; i++)
    table[i] = 100 + i;
#pragma acc update device(table)
#pragma acc parallel loop copyout(o, n)
  for (int i = 0; i < 16; i++) {
    o[i] = scaled(i) + constants(i);
    n[i] = looked_up(i) + device_only(i);
  }
#pragma acc update self(hits)
  for (int i = 0; i < 16; i++) {
    failed |= o[i] != 5 * i + 0.25 + 8 + 9.5 + (i % 3 + 1.5) + (i & 1 ? 4 : 0.5) + 3;
    failed |= n[i] != 100 + (i & 3) + (i & 3) * (i & 3);
  }
  if (hits != 16 || failed)
    printf("failed: %d, %d hits\n", failed, hits);
  return failed;
}
