// Reduction clauses of `parallel` beside variables that need no memory: the pass that takes these out of memory renumbers
// the others, and a clause must go on to name its own. Pointers at file scope, sections through them, unused clauses.
// also: --gangs 3
#include <stdio.h>
#include <string.h>

static int Cells[40], *cells = Cells;
static long totals[4], *total = totals;
static double _Complex unused;

// The pointer of a data clause comes before the second reduction.
static int minimum_beside_sum(void) {
  int least = 9;
  double sum = 4;
#pragma acc parallel reduction(min : least) reduction(+ : sum) copy(cells[0 : 40])
  {
#pragma acc loop gang reduction(min : least)
    for (int i = 0; i < 10; i++)
      if (i + 3 < least)
        least = i + 3;
#pragma acc loop gang reduction(+ : sum)
    for (int i = 0; i < 31; i++) {
      cells[i] = i;
      sum += 1.5;
    }
  }
  return least != 3 || sum != 50.5 || Cells[30] != 30;
}

// Nothing but the pointer stands before the reduction.
static int count_beside_pointer(void) {
  int count = 9;
#pragma acc parallel reduction(+ : count) copy(cells[0 : 40])
#pragma acc loop gang worker vector reduction(+ : count)
  for (int i = 0; i < 40; i++) {
    cells[i] = 1;
    count += cells[i];
  }
  return count != 49;
}

// A clause whose variable the construct does not use, and a variable whose address the host takes.
static int unused_beside_address(void) {
  int offset = 4, bits, most = 2;
  double _Complex z = 0;
  _Bool all = 1;
#pragma acc parallel reduction(max : most) reduction(+ : z, unused) reduction(&& : all)
#pragma acc loop gang reduction(max : most)
  for (int i = -4; i < 1; i++)
    if (9 + offset > most)
      most = 9 + offset;
  memcpy(&bits, &offset, sizeof bits);
  return most != 13 || bits != 4 || !all;
}

// Types of several sizes, and several values that travel with the launch.
static int types(void) {
  char c = 100;
  short s = -1;
  float f = 0.25f;
  long long l = 1, step = 3;
  unsigned u = 0xff;
  int offset = 1, bits;
#pragma acc parallel firstprivate(offset, step) reduction(min : c) reduction(max : s) reduction(+ : f) \
    reduction(* : l) reduction(& : u) copy(cells[0 : 40])
  {
#pragma acc loop gang reduction(min : c) reduction(max : s) reduction(+ : f) reduction(* : l) reduction(& : u)
    for (int i = 0; i < 20; i++) {
      cells[i] = offset;
      if (i + 7 < c)
        c = i + 7;
      if (i > s)
        s = i;
      f += 0.5f * offset;
      l *= step;
      u &= ~(i == 3 ? 8u : 0u);
    }
  }
  memcpy(&bits, &offset, sizeof bits);
  return c != 7 || s != 19 || f != 10.25f || l != 3486784401LL || u != 0xf7 || bits != 1 || Cells[19] != 1;
}

// A section through a pointer at file scope, and an array, as reduction variables.
static int sections(void) {
  int low[3] = {50, 50, 50};
  for (int k = 0; k < 4; k++)
    totals[k] = 10 * k;
#pragma acc parallel reduction(+ : total[0 : 4]) reduction(min : low) copy(cells[0 : 40])
  {
#pragma acc loop gang reduction(+ : total[0 : 4]) reduction(min : low)
    for (int i = 0; i < 40; i++) {
      cells[i] = i;
      total[i % 4] += i;
      if (i + 20 < low[i % 3])
        low[i % 3] = i + 20;
    }
  }
  return totals[0] != 180 || totals[3] != 240 || low[0] != 20 || low[2] != 22 || Cells[39] != 39;
}

int main(void) {
  int failed = 0;
  for (int round = 0; round < 2; round++) {
    failed |= minimum_beside_sum() << 0;
    failed |= count_beside_pointer() << 1;
    failed |= unused_beside_address() << 2;
    failed |= types() << 3;
    failed |= sections() << 4;
  }
  if (failed)
    printf("failed: %x\n", failed);
  return failed;
}
