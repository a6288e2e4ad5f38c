// Gangs of `kernels` with several phases wait for each other, so that a launch has no more of them than can be resident: the
// code must ask how many there are, whoever names the number.
// also: --device sim -fopenacc-dim=100
// also: --device sim -fopenacc-dim=100 --deterministic
// also: --device sim --reduction tree -fopenacc-dim=25
#include <stdio.h>

enum { N = 1280 };
static int marks[N];

static int of_construct(void) {
  int count = 0, most = 0;
#pragma acc kernels num_gangs(33) copy(count, most) copyout(marks)
  {
    int r = 4;
#pragma acc loop gang independent reduction(max : r)
    for (int i = 0; i < N; i++) {
#pragma acc atomic
      count += 1;
      marks[i] = i;
      if (i > r)
        r = i;
    }
    most = r;
  }
  for (int i = 0; i < N; i++)
    if (marks[i] != i)
      return 1;
  return count != N || most != N - 1;
}

static int of_loop(void) {
  long sum = 5;
  int count = 0;
#pragma acc kernels copy(sum, count) copy(marks)
  {
#pragma acc loop gang(num : 47) vector independent
    for (int i = 0; i < N; i++)
      marks[i] = 2 * i;
#pragma acc loop gang(static : 3) independent reduction(+ : sum)
    for (int i = 0; i < N; i++)
      sum += marks[N - 1 - i];
    count = sum == 5 + (long)N * (N - 1);
#pragma acc loop gang(static : *) worker independent reduction(+ : count)
    for (int i = 0; i < N; i++)
      count += marks[i] == 2 * i;
  }
  return sum != 5 + (long)N * (N - 1) || count != N + 1;
}

static int open_number(void) {
  double product = 1;
  int first = -1;
#pragma acc kernels copy(product, first) copy(marks)
  {
#pragma acc loop gang independent
    for (int i = 0; i < N; i++)
      marks[i] = i % 320 == 7 ? 3 : 1;
#pragma acc loop gang vector independent reduction(* : product)
    for (int i = 0; i < N; i++)
      product *= marks[i];
    first = marks[0];
  }
  return product != 81 || first != 1;
}

static int at_run_time(int gangs) {
  int sum = 0, twice = 0;
#pragma acc kernels num_gangs(gangs) copy(sum, twice)
  {
#pragma acc loop gang independent reduction(+ : sum)
    for (int i = 0; i < N; i++)
      sum += i & 3;
    twice = 2 * sum;
  }
  return sum != N / 4 * 6 || twice != 2 * sum;
}

int main(void) {
  int failed = of_construct() | of_loop() << 1 | open_number() << 2 | at_run_time(61) << 3 | at_run_time(1) << 4;
  if (failed)
    printf("failed: %x\n", failed);
  return failed;
}
