// Loops without the `reduction` clause that the construct or a loop around them has are given it, as programs written for other
// compilers expect: norms over grids, maxima, counts, several levels and variables, sections, routines.
// also: -w
// also: --gangs 3
// also: --device sim -fopenacc-dim=3:5:64
// also: --device sim -fopenacc-dim=2:4:7 --reduction tree
#include <math.h>
#include <stdio.h>

enum { X = 19, Y = 13, Z = 11 };
static double grid[Z][Y][X];

/* The residual norm of a multigrid solver: a sum and a maximum over three loops, the clauses on the outermost. */
static int residual_norms(void) {
  double sum = 0, most = 0;
#pragma acc parallel loop gang reduction(+ : sum) reduction(max : most) copyin(grid)
  for (int k = 0; k < Z; k++) {
#pragma acc loop worker
    for (int j = 0; j < Y; j++) {
#pragma acc loop vector
      for (int i = 0; i < X; i++) {
        double r = grid[k][j][i];
        sum = sum + r * r;
        double a = fabs(r);
        if (a > most)
          most = a;
      }
    }
  }
  double wanted = 0, largest = 0;
  for (int c = 0; c < X * Y * Z; c++) {
    double r = (&grid[0][0][0])[c];
    wanted += r * r;
    largest = fmax(largest, fabs(r));
  }
  return sum != wanted || most != largest;
}

/* The norms of a solver for five equations: clauses on the construct, loops with and without levels. */
static int five_sums(void) {
  double s0 = 1, s1 = 2, s2 = 3, s3 = 4, s4 = 5;
#pragma acc parallel reduction(+ : s0, s1, s2, s3, s4) copyin(grid) num_workers(4) vector_length(32)
  {
#pragma acc loop gang
    for (int k = 1; k < Z - 1; k++) {
#pragma acc loop worker
      for (int j = 1; j < Y - 1; j++) {
#pragma acc loop vector
        for (int i = 1; i < X - 1; i++) {
          s0 = s0 + grid[k][j][i];
          s1 += grid[k][j][i - 1];
          s2 = grid[k][j - 1][i] + s2;
          s3 -= grid[k - 1][j][i];
          s4 = s4 + grid[k][j][i + 1] + 1;
        }
      }
    }
  }
  double w0 = 1, w1 = 2, w2 = 3, w3 = 4, w4 = 5;
  for (int k = 1; k < Z - 1; k++)
    for (int j = 1; j < Y - 1; j++)
      for (int i = 1; i < X - 1; i++) {
        w0 += grid[k][j][i];
        w1 += grid[k][j][i - 1];
        w2 += grid[k][j - 1][i];
        w3 -= grid[k - 1][j][i];
        w4 += grid[k][j][i + 1] + 1;
      }
  return s0 != w0 || s1 != w1 || s2 != w2 || s3 != w3 || s4 != w4;
}

/* One loop without any level, in a construct that reduces. */
static int open_levels(void) {
  long count = 0;
#pragma acc parallel copyin(grid) reduction(+ : count)
  {
#pragma acc loop
    for (int k = 0; k < Z; k++)
#pragma acc loop collapse(2)
      for (int j = 0; j < Y; j++)
        for (int i = 0; i < X; i++)
          if (grid[k][j][i] > 0)
            count++;
  }
  long wanted = 0;
  for (int c = 0; c < X * Y * Z; c++)
    wanted += (&grid[0][0][0])[c] > 0;
  return count != wanted;
}

/* Updates under conditions, in forms that are not recognised, and a loop between two with the clause. */
static int conditional(void) {
  int most = -5, some = 0;
  unsigned bits = 0;
#pragma acc parallel loop gang reduction(max : most) reduction(| : bits) reduction(|| : some) copyin(grid)
  for (int k = 0; k < Z; k++) {
#pragma acc loop worker
    for (int j = 0; j < Y; j++) {
      int row = 0;
#pragma acc loop vector reduction(max : row)
      for (int i = 0; i < X; i++)
        row = grid[k][j][i] > row ? grid[k][j][i] : row;
      if (row % 2 == 0 && row > most) {
        most = row;
      }
      if (row > 40)
        bits |= 1u << k;
#pragma acc loop vector reduction(|| : some)
      for (int i = 0; i < X; i++)
        some = some || grid[k][j][i] == 61;
    }
  }
  int largest = -5, any = 0;
  unsigned wanted = 0;
  for (int k = 0; k < Z; k++)
    for (int j = 0; j < Y; j++) {
      int row = 0;
      for (int i = 0; i < X; i++) {
        row = grid[k][j][i] > row ? grid[k][j][i] : row;
        any |= grid[k][j][i] == 61;
      }
      if (row % 2 == 0 && row > largest)
        largest = row;
      if (row > 40)
        wanted |= 1u << k;
    }
  return most != largest || bits != wanted || some != any;
}

/* Elements of an array, and of a section through a pointer. */
static int elements(double *sums) {
  int histogram[4] = {1, 2, 3, 4};
  for (int i = 0; i < 5; i++)
    sums[i] = i;
#pragma acc parallel reduction(+ : histogram) reduction(+ : sums[0 : 5]) copyin(grid)
  {
#pragma acc loop gang
    for (int k = 0; k < Z; k++)
#pragma acc loop vector
      for (int j = 0; j < Y; j++) {
        histogram[(j + k) % 4]++;
        sums[j % 5] = sums[j % 5] + grid[k][j][0];
      }
  }
  int wanted[4] = {1, 2, 3, 4}, wrong = 0;
  double totals[5] = {0, 1, 2, 3, 4};
  for (int k = 0; k < Z; k++)
    for (int j = 0; j < Y; j++) {
      wanted[(j + k) % 4]++;
      totals[j % 5] += grid[k][j][0];
    }
  for (int i = 0; i < 4; i++)
    wrong |= histogram[i] != wanted[i];
  for (int i = 0; i < 5; i++)
    wrong |= sums[i] != totals[i];
  return wrong;
}

/* Orphaned loops. */
#pragma acc routine worker
static double row_sum(const double *row, int n, int m) {
  double s = 0;
#pragma acc loop worker reduction(+ : s)
  for (int j = 0; j < n; j++)
#pragma acc loop vector
    for (int i = 0; i < m; i++)
      s += row[j * m + i];
  return s;
}

static int in_routine(void) {
  double out[Z];
#pragma acc parallel loop gang copyin(grid) copyout(out)
  for (int k = 0; k < Z; k++)
    out[k] = row_sum(&grid[k][0][0], Y, X);
  for (int k = 0; k < Z; k++) {
    double wanted = 0;
    for (int c = 0; c < X * Y; c++)
      wanted += (&grid[k][0][0])[c];
    if (out[k] != wanted)
      return 1;
  }
  return 0;
}

/* A loop inside that has a variable of its own by the same name. */
static int hidden(void) {
  int s = 0, t = 0;
#pragma acc parallel loop gang reduction(+ : s, t) copyin(grid)
  for (int k = 0; k < Z; k++) {
#pragma acc loop worker
    for (int j = 0; j < Y; j++) {
      int s = 0;
      for (int i = 0; i < X; i++)
        s += i;
      t += s;
    }
    s += 1;
  }
  return s != Z || t != Z * Y * (X * (X - 1) / 2);
}

int main(void) {
  for (int c = 0; c < X * Y * Z; c++)
    (&grid[0][0][0])[c] = c * 37 % 129 - 64;
  double sums[5];
  int failed = residual_norms() << 0 | five_sums() << 1 | open_levels() << 2 | conditional() << 3;
  failed |= elements(sums) << 4 | in_routine() << 5 | hidden() << 6;
  if (failed)
    printf("failed: %x\n", failed);
  return failed;
}
