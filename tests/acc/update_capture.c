// `atomic update capture` is the specification's other spelling of `atomic capture`; sections in a function's `declare`.
// also: --gangs 3
#include <stdio.h>

static int total(int *values, int n) {
#pragma acc declare copyin(values[0 : n])
  int sum = 0;
#pragma acc parallel loop reduction(+ : sum)
  for (int i = 0; i < n; i++)
    sum += values[i];
  return sum;
}

int main(void) {
  int before[10], next = 5, values[4] = {1, 2, 3, 4};
#pragma acc parallel loop copy(next) copyout(before)
  for (int i = 0; i < 10; i++) {
#pragma acc atomic update capture
    {
      before[i] = next;
      next += 2;
    }
  }
  int sum = 0;
  for (int i = 0; i < 10; i++)
    sum += before[i];
  printf("%d %d %d\n", next, sum, total(values, 4));
  return 0;
}
