// `update` of sections that are not contiguous: what they name is copied, and nothing else, in 2, 3 and 4 dimensions.
// options: --memory discrete
#include <openacc.h>
#include <stdio.h>
#include <stdlib.h>

// Element `i` has the value i on the device and -i - 1 on the host. `in` says which elements a section names.
#define FILL(a, n)                                                                                                     \
  do {                                                                                                                 \
    for (int i_ = 0; i_ < (n); i_++)                                                                                   \
      (a)[i_] = i_;                                                                                                    \
  } while (0)

static int copied, wrong;

static void count(int value, int index, int in) {
  copied += value == index;
  wrong += value != (in ? index : -index - 1);
}

static void report(const char *what) {
  printf("%-28s %4d copied, %d wrong\n", what, copied, wrong);
  copied = wrong = 0;
}

static int plane[10][20];

static void negate(int *a, int n) {
  for (int i = 0; i < n; i++)
    a[i] = -i - 1;
}

static void two_dimensions(void) {
  int *flat = &plane[0][0];
  FILL(flat, 200);
#pragma acc data copyin(plane)
  {
    negate(flat, 200);
#pragma acc update self(plane[0:10][1:1])
    for (int i = 0; i < 200; i++)
      count(flat[i], i, i % 20 == 1);
    report("column");
    negate(flat, 200);
#pragma acc update host(plane[2:3][5:8])
    for (int i = 0; i < 200; i++)
      count(flat[i], i, i / 20 >= 2 && i / 20 < 5 && i % 20 >= 5 && i % 20 < 13);
    report("block");
    negate(flat, 200);
#pragma acc update self(plane[0:10][0:1], plane[0:10][19:])
    for (int i = 0; i < 200; i++)
      count(flat[i], i, i % 20 == 0 || i % 20 == 19);
    report("both sides");
  }
}

// The host's values go to the device, and come back in a copy of the whole array.
static void to_the_device(int queue) {
  int *flat = &plane[0][0];
  negate(flat, 200);
#pragma acc data copy(plane)
  {
    FILL(flat, 200);
#pragma acc update device(plane[1:8][1:18]) async(queue)
#pragma acc parallel loop collapse(2) present(plane) async(queue)
    for (int i = 1; i < 9; i++)
      for (int j = 1; j < 19; j++)
        plane[i][j] += 1000;
#pragma acc update self(plane[0:10][10:2]) async(queue) wait(queue)
#pragma acc wait(queue)
    for (int i = 0; i < 200; i++) {
      int row = i / 20, column = i % 20, inner = row > 0 && row < 9 && column > 0 && column < 19;
      int device = inner ? i + 1000 : -i - 1;
      wrong += flat[i] != (column == 10 || column == 11 ? device : i);
    }
  }
  for (int i = 0; i < 200; i++) {
    int row = i / 20, column = i % 20, inner = row > 0 && row < 9 && column > 0 && column < 19;
    count(inner ? flat[i] - 1000 : flat[i], i, inner);
  }
  report(queue == acc_async_sync ? "to the device" : "to the device, on a queue");
}

// Whether rows are taken as wholes is known when the program runs only.
static void variable(int n, int m, int first, int length, const char *what) {
  int(*a)[m] = malloc(n * sizeof *a), *flat = &a[0][0];
  FILL(flat, n * m);
#pragma acc enter data copyin(a[0:n][0:m])
  negate(flat, n * m);
#pragma acc update self(a[1:n - 1][first:length])
  for (int i = 0; i < n * m; i++)
    count(flat[i], i, i / m >= 1 && i % m >= first && i % m < first + length);
  report(what);
#pragma acc exit data delete(a[0:n][0:m])
  free(a);
}

enum { X = 4, Y = 5, Z = 6, W = 3 };

static void three_dimensions(void) {
  static int cube[X][Y][Z];
  int *flat = &cube[0][0][0];
  FILL(flat, X * Y * Z);
#pragma acc data copyin(cube)
  {
    negate(flat, X * Y * Z);
#pragma acc update self(cube[1:2][1:3][0:1])
    for (int i = 0; i < X * Y * Z; i++) {
      int x = i / (Y * Z), y = i / Z % Y, z = i % Z;
      count(flat[i], i, x >= 1 && x < 3 && y >= 1 && y < 4 && z == 0);
    }
    report("part of a face");
    negate(flat, X * Y * Z);
#pragma acc update self(cube[:][Y - 1][:])
    for (int i = 0; i < X * Y * Z; i++)
      count(flat[i], i, i / Z % Y == Y - 1);
    report("a face of rows");
    negate(flat, X * Y * Z);
#pragma acc update self(cube[:][:][Z - 1:1])
    for (int i = 0; i < X * Y * Z; i++)
      count(flat[i], i, i % Z == Z - 1);
    report("a face of single elements");
    negate(flat, X * Y * Z);
#pragma acc update self(cube[2][0:3][1:2]) self(cube[0:0][0:3][1:2])
    for (int i = 0; i < X * Y * Z; i++)
      count(flat[i], i, i / (Y * Z) == 2 && i / Z % Y < 3 && i % Z >= 1 && i % Z < 3);
    report("of one plane");
  }
}

static void four_dimensions(int (*a)[X][Y][Z]) {
  int *flat = &a[0][0][0][0], n = W * X * Y * Z;
  FILL(flat, n);
#pragma acc data copyin(a[0:W])
  {
    negate(flat, n);
#pragma acc update self(a[0:W][1:2][1:3][2:2]) async(1)
#pragma acc wait(1)
    for (int i = 0; i < n; i++) {
      int x = i / (Y * Z) % X, y = i / Z % Y, z = i % Z;
      count(flat[i], i, x >= 1 && x < 3 && y >= 1 && y < 4 && z >= 2 && z < 4);
    }
    report("of four dimensions");
    negate(flat, n);
#pragma acc update self(a[0:W][1:2][:][2:2])
    for (int i = 0; i < n; i++) {
      int x = i / (Y * Z) % X, z = i % Z;
      count(flat[i], i, x >= 1 && x < 3 && z >= 2 && z < 4);
    }
    report("with a whole one between");
  }
}

struct grid {
  int size, cells[6][7];
  int *rows[3], (*far)[7];
};

static void members(void) {
  struct grid g = {42};
  int *flat = &g.cells[0][0];
  g.far = malloc(6 * sizeof *g.far);
  for (int i = 0; i < 42; i++)
    flat[i] = g.far[i / 7][i % 7] = i;
#pragma acc data copyin(g, g.far[0:6])
  {
    negate(flat, 42), negate(&g.far[0][0], 42);
#pragma acc update self(g.cells[1:4][2:3], g.far[1:4][2:3])
    for (int i = 0; i < 42; i++) {
      int in = i / 7 >= 1 && i / 7 < 5 && i % 7 >= 2 && i % 7 < 5;
      count(flat[i], i, in), count(g.far[i / 7][i % 7], i, in);
    }
    report("members");
  }
  free(g.far);
}

// Parts of what an array of pointers leads to: of each row some columns of its own rows.
static void rows_of_pointers(void) {
  int(*table[3])[8];
  for (int t = 0; t < 3; t++) {
    table[t] = malloc(4 * sizeof *table[t]);
    FILL(&table[t][0][0], 32);
  }
#pragma acc data copyin(table[0:3][0:4])
  {
    for (int t = 0; t < 3; t++)
      negate(&table[t][0][0], 32);
#pragma acc update self(table[1:2][0:4][3:2])
    for (int t = 0; t < 3; t++)
      for (int i = 0; i < 32; i++)
        count(table[t][i / 8][i % 8], i, t && i % 8 >= 3 && i % 8 < 5);
    report("behind pointers");
  }
  for (int t = 0; t < 3; t++)
    free(table[t]);
}

// Rows that are present one by one.
static void present_in_parts(void) {
  static int a[6][10];
  int *flat = &a[0][0];
  FILL(flat, 60);
#pragma acc enter data copyin(a[1:1][0:10]) copyin(a[3:2][0:10])
  negate(flat, 60);
#pragma acc update self(a[3:2][2:3])
#pragma acc update self(a[0:6][7:2]) if_present
  for (int i = 0; i < 60; i++) {
    int row = i / 10, column = i % 10, together = row == 3 || row == 4;
    count(flat[i], i, together && column >= 2 && column < 5 || (together || row == 1) && column >= 7 && column < 9);
  }
  report("what is present");
#pragma acc exit data delete(a[1:1][0:10]) delete(a[3:2][0:10])
}

// Pointers that the device's copy has attached keep their values on both sides.
static void attached(void) {
  struct cell {
    int value, *to;
  } a[4][3];
  int target[2] = {7, 8};
  for (int i = 0; i < 12; i++)
    a[i / 3][i % 3] = (struct cell){i, target};
#pragma acc enter data copyin(target) copyin(a)
#pragma acc enter data attach(a[1][1].to)
  for (int i = 0; i < 12; i++)
    a[i / 3][i % 3].value = -i - 1;
#pragma acc update self(a[0:4][1:1])
  for (int i = 0; i < 12; i++) {
    count(a[i / 3][i % 3].value, i, i % 3 == 1);
    wrong += a[i / 3][i % 3].to != target;
  }
  report("attached pointers");
#pragma acc exit data delete(a, target) finalize
}

int main(void) {
  two_dimensions();
  to_the_device(acc_async_sync);
  to_the_device(3);
  variable(7, 9, 2, 4, "lengths of the program");
  variable(7, 9, 0, 9, "whole rows after all");
  variable(7, 9, 4, 0, "no columns");
  three_dimensions();
  int(*a)[X][Y][Z] = malloc(W * sizeof *a);
  four_dimensions(a);
  free(a);
  members();
  rows_of_pointers();
  present_in_parts();
  attached();
  return 0;
}
