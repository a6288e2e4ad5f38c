// A loop over lanes reduces a variable that gangs share, and the loop around it, which workers share too, has no clause:
// each row of lanes has a part of the result.
// options: -Wno-missing-reduction -Wno-nested-reduction-missing
#include <stdio.h>

static double a[64];

int main(void) {
  double sum;
  int most;
  for (int i = 0; i < 64; i++)
    a[i] = (i * 37) % 64;

  sum = 5;
#pragma acc kernels copyin(a)
#pragma acc loop independent
  for (int j = 0; j < 8; j++) {
#pragma acc loop independent reduction(+ : sum)
    for (int k = 0; k < 8; k++)
      sum += a[j * 8 + k];
  }
  printf("%g\n", sum);

  sum = 5;
#pragma acc parallel loop gang worker copyin(a) copy(sum) num_gangs(2) num_workers(2)
  for (int j = 0; j < 8; j++) {
#pragma acc loop vector reduction(+ : sum)
    for (int k = 0; k < 8; k++)
      sum += a[j * 8 + k];
  }
  printf("%g\n", sum);

  most = -1;
#pragma acc parallel loop gang copyin(a) copy(most) num_gangs(2) num_workers(4)
  for (int j = 0; j < 2; j++) {
#pragma acc loop worker
    for (int l = 0; l < 4; l++) {
#pragma acc loop vector reduction(max : most)
      for (int k = 0; k < 8; k++)
        if (a[j * 32 + l * 8 + k] > most)
          most = (int)a[j * 32 + l * 8 + k];
    }
  }
  printf("%d\n", most);
  return 0;
}
