// What each data clause copies, and when, on a device with memory of its own.
// options: --memory discrete
#include <openacc.h>
#include <stdio.h>

#define N 4

static void show(const char *what, const int *a) { printf("%-24s %d %d %d %d\n", what, a[0], a[1], a[2], a[3]); }

static void constructs(void) {
  int a[N] = {1, 2, 3, 4}, b[N] = {5, 6, 7, 8}, c[N] = {9, 9, 9, 9}, d[N] = {0, 0, 0, 0};
#pragma acc serial copyin(a) copy(b) copyout(c) create(d)
  for (int i = 0; i < N; i++) {
    d[i] = 100;
    c[i] = a[i] + b[i];
    b[i] *= 2;
    a[i] = -1;
  }
  show("copyin", a);
  show("copy", b);
  show("copyout", c);
  show("create", d);
#pragma acc serial copyout(zero : c) create(zero : d)
  c[0] += d[1] + 1;
  show("zero", c);
}

// C makes pointers of these parameters; the clauses mean the arrays that are declared.
static void parameters(int p[N], int rows[2][N / 2]) {
#pragma acc data copy(p) copyin(rows)
#pragma acc serial
  for (int i = 0; i < N; i++)
    p[i] += rows[i / 2][i % 2];
  show("parameters", p);
}

static void nested(void) {
  int a[N] = {1, 2, 3, 4};
#pragma acc data copy(a)
  {
    a[0] = 50; // the device's copy is older
#pragma acc data copyin(a)
#pragma acc data copyout(a)
    {
#pragma acc serial copy(a)
      a[1] += 10;
      show("not yet", a);
    }
    show("nor now", a);
#pragma acc update self(a[1:1])
    show("update self", a);
    a[3] = 70;
#pragma acc update device(a[3:1])
  }
  show("copied at the end", a);
}

static void sections(void) {
  int a[8] = {0, 1, 2, 3, 4, 5, 6, 7}, *p = a;
#pragma acc data copy(p[2:4])
  {
#pragma acc serial present(p[3:2])
    for (int i = 2; i < 6; i++)
      p[i] *= 10;
    printf("present: %d %d %d %d\n", acc_is_present(a + 2, 16), acc_is_present(a + 1, 4), acc_is_present(a + 5, 8),
           acc_is_present(a + 6, 4));
    int *device = acc_deviceptr(a + 4);
    printf("counterparts: %d %d\n", acc_hostptr(device) == a + 4, device == acc_deviceptr(a + 2) + 2 * sizeof(int));
  }
  show("section", a + 2);
  show("beside it", a);
}

static void no_create(void) {
  int a[N] = {1, 2, 3, 4};
#pragma acc data no_create(a)
  printf("no_create leaves: %d\n", acc_is_present(a, sizeof a));
#pragma acc data copy(a)
  {
#pragma acc data no_create(a)
#pragma acc serial no_create(a)
    a[2] = 33;
    show("no_create", a);
  }
  show("and then", a);
}

static void conditions(void) {
  int a[N] = {1, 2, 3, 4};
  for (int on = 0; on < 2; on++) {
#pragma acc data copy(a) if (on)
    {
      printf("present %d\n", acc_is_present(a, sizeof a));
#pragma acc serial copy(a) if (!on)
      a[0] += 10;
#pragma acc serial copy(a) self(on)
      a[1] += 100;
    }
  }
  show("if and self", a);
}

static void values(void) {
  int a[N] = {0}, scalar = 7, big[3] = {1, 2, 3};
  struct pair {
    short x;
    double y;
  } pair = {4, 0.5};
#pragma acc serial copyout(a) firstprivate(big, pair, scalar)
  {
    a[0] = scalar++;
    a[1] = big[2]++;
    a[2] = pair.x++;
    a[3] = pair.y == 0.5;
  }
  show("firstprivate", a);
  printf("unchanged: %d %d %d\n", scalar, big[2], pair.x);
  int sum = 1000;
#pragma acc parallel loop reduction(+ : sum)
  for (int i = 1; i <= 10; i++)
    sum += i;
  printf("sum %d\n", sum);
  int *section = big;
#pragma acc parallel loop reduction(max : section[0:2])
  for (int i = 0; i < 10; i++)
    if (section[i & 1] < i)
      section[i & 1] = i;
  printf("maxima %d %d %d\n", big[0], big[1], big[2]);
}

int main(void) {
  constructs();
  int p[N] = {1, 2, 3, 4}, rows[2][N / 2] = {{10, 20}, {30, 40}};
  parameters(p, rows);
  nested();
  sections();
  no_create();
  conditions();
  values();
  return 0;
}
