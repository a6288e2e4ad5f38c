// A variable named twice on one directive: constructs take it once, `enter data` and `exit data` count it twice.
// options: --memory discrete
#include <openacc.h>
#include <stdio.h>

#define N 6

static void show(const char *what, const int *a) {
  printf("%-20s %d %d %d %d %d %d\n", what, a[0], a[1], a[2], a[3], a[4], a[5]);
}

static void constructs(void) {
  int a[N] = {1, 2, 3, 4, 5, 6}, b[N] = {0}, t = 7, sum = 100, *p = a;
#pragma acc data copyin(a)
#pragma acc parallel loop present(a, a) copyin(b) copyout(b)
  for (int i = 0; i < N; i++)
    b[i] += 10 * a[i];
  show("copyin and copyout", b);
#pragma acc parallel loop worker worker reduction(+ : sum) reduction(+ : sum) copyin(p[0:N], p[0:N])
  for (int i = 0; i < N; i++)
    sum += p[i];
  printf("sum %d\n", sum);
#pragma acc parallel loop firstprivate(t, t) copy(a) copyin(a) private(sum, sum)
  for (int i = 0; i < N; i++) {
    sum = t + i;
    a[i] = sum;
  }
  show("private twice", a);
#pragma acc parallel firstprivate(p[0:N], p[0:N]) copyout(b)
  {
    p[2] = -1;
#pragma acc loop seq
    for (int i = 0; i < N; i++)
      b[i] = p[i];
  }
  show("own section", b);
  show("is not the host's", a);
}

static void two_parts(void) {
  int a[N] = {1, 2, 3, 4, 5, 6};
#pragma acc data copy(a[0:2], a[4:2])
  {
#pragma acc parallel loop present(a[4:2])
    for (int i = 4; i < N; i++)
      a[i] += 40;
#pragma acc parallel loop present(a[0:2])
    for (int i = 0; i < 2; i++)
      a[i] += 80;
    a[3] = 0;
  }
  show("two parts", a);
}

static void counted(void) {
  int a[N] = {1, 2, 3, 4, 5, 6};
#pragma acc enter data copyin(a, a)
#pragma acc exit data delete(a)
  printf("after one delete: %d\n", acc_is_present(a, sizeof a));
#pragma acc enter data copyin(a)
#pragma acc serial present(a)
  a[0] = 11;
#pragma acc exit data copyout(a) copyout(a)
  printf("after copyout of both: %d\n", acc_is_present(a, sizeof a));
  show("copied out", a);
}

int main(void) {
  constructs();
  two_parts();
  counted();
  return 0;
}
