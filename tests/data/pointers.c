// Pointers in structures and arrays of pointers: the device's copies point to the device's copies.
// options: --memory discrete
// also: --gangs 2
#include <openacc.h>
#include <stdio.h>
#include <stdlib.h>

#define N 4

struct vector {
  int length;
  double *data;
  struct vector *next;
};

static void print(const char *what, const double *data) {
  printf("%-18s %g %g %g %g\n", what, data[0], data[1], data[2], data[3]);
}

static double *values(double first) {
  double *data = malloc(N * sizeof(double));
  for (int i = 0; i < N; i++)
    data[i] = first + i;
  return data;
}

static void whole_structure(void) {
  struct vector v = {N, values(1), NULL};
  double *host = v.data;
#pragma acc data copy(v) copy(v.data[0:N])
  {
#pragma acc parallel loop num_gangs(1)
    for (int i = 0; i < v.length; i++)
      v.data[i] *= 2;
  }
  print("structure", v.data);
  printf("pointer kept %d\n", v.data == host);
}

static void members(void) {
  struct vector v = {N, values(1), NULL};
#pragma acc enter data copyin(v.length, v.data[0:N])
#pragma acc parallel loop present(v.length, v.data[0:N]) num_gangs(1)
  for (int i = 0; i < v.length; i++)
    v.data[i] += 10;
#pragma acc exit data copyout(v.data[0:N]) delete(v.length)
  print("members", v.data);
  printf("left behind %d %d\n", acc_is_present(&v.data, sizeof v.data), acc_is_present(&v.length, sizeof v.length));
}

static void list(void) {
  struct vector *second = malloc(sizeof *second), *first = malloc(sizeof *first);
  *second = (struct vector){N, values(20), NULL};
  *first = (struct vector){N, values(10), second};
#pragma acc enter data copyin(first[0:1], second[0:1])
#pragma acc enter data copyin(first->data[0:N], second->data[0:N]) attach(first->next)
#pragma acc serial present(first[0:1])
  for (struct vector *at = first; at; at = at->next)
    for (int i = 0; i < at->length; i++)
      at->data[i] += at->next ? 0.5 : 0.25;
#pragma acc exit data copyout(first->data[0:N], second->data[0:N]) detach(first->next)
#pragma acc exit data copyout(first[0:1], second[0:1])
  print("list, first", first->data);
  print("list, second", second->data);
  printf("host pointers %d %d\n", first->next == second, second->next == NULL);
}

static void attach_counts(void) {
  struct vector v = {N, values(1), NULL};
  double *data = v.data;
#pragma acc enter data copyin(v) copyin(data[0:N])
  acc_attach((void **)&v.data);
#pragma acc data attach(v.data)
  acc_detach((void **)&v.data);
#pragma acc enter data attach(v.data)
#pragma acc update device(v)
  double *seen = NULL;
#pragma acc serial copyout(seen) present(v)
  seen = v.data;
  printf("attached after update %d\n", seen == acc_deviceptr(data));
#pragma acc exit data detach(v.data) finalize
#pragma acc serial copyout(seen) present(v)
  seen = v.data;
  printf("detached %d\n", seen == data);
#pragma acc exit data delete(v, data[0:N])
}

static void rows(void) {
  double *table[3] = {values(1), NULL, values(100)}, **t = table;
#pragma acc serial copy(t[0:3][1:2])
  for (int row = 0; row < 3; row += 2)
    for (int i = 1; i < 3; i++)
      t[row][i] = -t[row][i];
  print("first row", table[0]);
  print("third row", table[2]);
#pragma acc data create(t[0:3][0:N])
  {
#pragma acc update device(t[0:3][0:N])
#pragma acc serial present(t[0:3][0:N])
    t[2][0] = t[0][3];
#pragma acc update self(t[0:3][0:1])
  }
  print("update of rows", table[2]);
  double **cube[2] = {table, table}, ***c = cube;
#pragma acc serial copyin(c[0:1][0:1][0:N]) copyout(table[0:0])
  c[0][0][0] += 1;
  print("copyin of rows", table[0]);
}

static void array_of_pointers(void) {
  double *list[4] = {values(1), NULL, values(10), values(100)};
#pragma acc data copyin(list[0:3][0:N])
  {
#pragma acc parallel loop num_gangs(1)
    for (int i = 0; i < N; i++)
      list[2][i] += list[0][i];
#pragma acc update self(list[2:1][0:2])
  }
  print("array of pointers", list[2]);
#pragma acc serial copy(list[2:2][1:2])
  list[3][1] = list[2][2];
  print("its second half", list[3]);
}

static void members_before_structure(void) {
  struct vector v = {N, values(1), NULL};
#pragma acc enter data copyin(v.data[0:N])
#pragma acc enter data copyin(v)
#pragma acc serial default(present)
  for (int i = 0; i < v.length; i++)
    v.data[i] *= 3;
  acc_attach((void **)&v.data);
  acc_detach((void **)&v.data);
#pragma acc exit data copyout(v.data[0:N])
#pragma acc exit data copyout(v)
  print("members first", v.data);
  printf("left behind %d %d\n", acc_is_present(&v, sizeof v), acc_is_present(v.data, N * sizeof(double)));
}

int main(void) {
  whole_structure();
  members();
  list();
  attach_counts();
  rows();
  array_of_pointers();
  members_before_structure();
  return 0;
}
