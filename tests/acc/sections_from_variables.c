// Reductions over sections that begin at an element which is known at run time only: of arrays, of rows, through pointers, of
// structs, on constructs and on loops of every level, one inside of another.
// also: --gangs 3
// also: --device sim -fopenacc-dim=3:5:64
#include <stdio.h>
#include <stdlib.h>

struct pair {
  int count;
  double sum;
};

static struct pair Pairs[6], *pairs = Pairs;
static long table[5][4];

/* One element, chosen by a loop of the host. */
static int elements(void) {
  int e[4] = {1, 1, 1, 1}, wrong = 0;
  for (int x = 0; x < 4; x++) {
#pragma acc parallel loop reduction(+ : e[x])
    for (int i = 0; i < 10; i++)
      e[x] += i * x;
  }
  for (int x = 0; x < 4; x++)
    wrong |= e[x] != 1 + 45 * x;
  return wrong;
}

/* A row of a table; other rows are read meanwhile. */
static int rows(int r) {
  for (int c = 0; c < 20; c++)
    (&table[0][0])[c] = c;
#pragma acc parallel loop gang vector reduction(max : table[r : 1]) copy(table)
  for (int i = 0; i < 77; i++)
    for (int c = 0; c < 4; c++)
      if (i % 50 + table[r + 1][c] > table[r][c])
        table[r][c] = i % 50 + table[r + 1][c];
  int wrong = 0;
  for (int k = 0; k < 5; k++)
    for (int c = 0; c < 4; c++)
      wrong |= table[k][c] != (k == r ? 49 + 4 * (r + 1) + c : 4 * k + c);
  return wrong;
}

/* A section through a pointer, with the clause on three loops. */
static int nested(double *p, int low) {
#pragma acc parallel loop gang reduction(+ : p[low : 3]) copy(p[0 : 9])
  for (int i = 0; i < 6; i++)
#pragma acc loop worker reduction(+ : p[low : 3])
    for (int j = 0; j < 5; j++)
#pragma acc loop vector reduction(+ : p[low : 3])
      for (int k = 0; k < 7; k++)
        p[low + (i + j + k) % 3] += 0.5;
  double sum = 0;
  for (int i = 0; i < 9; i++)
    sum += p[i] * (i >= low && i < low + 3);
  return sum != 105;
}

/* The clause on the construct, and on a loop over workers that every gang executes for a row of its own. */
static int levels(int first, int *out) {
  int counts[8] = {0};
#pragma acc parallel reduction(| : counts[first : 4]) num_gangs(2)
  {
#pragma acc loop gang worker vector reduction(| : counts[first : 4])
    for (int i = 0; i < 32; i++)
      counts[first + i % 4] |= 1 << i / 4;
  }
#pragma acc parallel loop gang copyout(out[0 : 6])
  for (int g = 0; g < 6; g++) {
    int own[6] = {0};
#pragma acc loop worker reduction(+ : own[g : 1])
    for (int i = 0; i <= g; i++)
      own[g] += i;
    out[g] = own[g] + 100 * own[(g + 1) % 6];
  }
  int wrong = 0;
  for (int i = 0; i < 8; i++)
    wrong |= counts[i] != (i >= first && i < first + 4 ? 255 : 0);
  for (int g = 0; g < 6; g++)
    wrong |= out[g] != g * (g + 1) / 2;
  return wrong;
}

/* Start and length are known at run time only: in an array, in an object at file scope, through a pointer. */
static long shared[16];

static int lengths(long *p, signed char first, unsigned n) {
  long own[16];
  int wrong = 0;
  for (int k = 0; k < 16; k++)
    own[k] = shared[k] = k;
#pragma acc parallel loop gang worker vector reduction(+ : own[first : n])
  for (unsigned i = 0; i < 100 * n; i++)
    own[first + (int)(i % n)] += 2;
#pragma acc parallel loop gang vector reduction(max : shared[first : n])
  for (unsigned i = 0; i < 100 * n; i++)
    if (i > (unsigned)shared[first + (int)(i % n)])
      shared[first + (int)(i % n)] = i;
#pragma acc parallel loop gang reduction(+ : p[first - 1 : n]) copy(p[first - 1 : n]) num_gangs(7)
  for (unsigned i = 0; i < 10 * n; i++)
    p[first - 1 + (int)(i % n)] += 3;
  for (int k = 0; k < 16; k++) {
    int in = k >= first && k < first + (int)n, last = 99 * n + (k - first);
    wrong |= own[k] != k + 200 * in || shared[k] != (in ? last + 30 : k);
  }
  return wrong;
}

/* Structs: in an array, and behind a pointer at file scope. */
static int structs(int first) {
  struct pair own[6] = {{0}};
  for (int i = 0; i < 6; i++)
    Pairs[i] = (struct pair){i, i};
#pragma acc parallel loop reduction(+ : own[first : 2]) reduction(+ : pairs[first : 2])
  for (int i = 0; i < 40; i++) {
    own[first + i % 2].count += 1;
    own[first + i % 2].sum += 0.25;
    pairs[first + i % 2].count += 2;
    pairs[first + i % 2].sum += 0.5;
  }
  int wrong = 0;
  for (int i = 0; i < 6; i++) {
    int in = i == first || i == first + 1;
    wrong |= own[i].count != 20 * in || own[i].sum != 5 * in;
    wrong |= Pairs[i].count != i + 40 * in || Pairs[i].sum != i + 10 * in;
  }
  return wrong;
}

/* Structs in a section that begins at a constant, behind a pointer that is in memory. */
static int constant_start(void) {
  for (int i = 0; i < 6; i++)
    Pairs[i] = (struct pair){i, i};
#pragma acc parallel loop gang reduction(max : pairs[1 : 2])
  for (int i = 0; i < 40; i++)
    if (i > pairs[1 + i % 2].count) {
      pairs[1 + i % 2].count = i;
      pairs[1 + i % 2].sum = i;
    }
  return Pairs[0].count || Pairs[1].count != 38 || Pairs[2].sum != 39 || Pairs[3].count != 3;
}

int main(void) {
  double p[9] = {0};
  int out[6], failed = elements();
  for (int r = 0; r < 4; r++)
    failed |= rows(r) << 1;
  failed |= nested(p, 2) << 2 | nested(p + 1, 4) << 3 | levels(3, out) << 4;
  failed |= structs(0) << 5 | structs(4) << 6 | constant_start() << 7;
  failed |= (lengths(shared + 1, 3, 5) | lengths(shared + 1, 1, 15) | lengths(shared + 1, 15, 1)) << 8;
  if (failed)
    printf("failed: %x\n", failed);
  return failed;
}
