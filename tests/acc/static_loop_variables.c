// A loop's variable with static storage is the loop's own inside of it, whatever the program does with its name.
// also: --gangs 3
#include <stdio.h>

int shared = 7;
static short narrow = 5;
int *where = &shared;
int seen[40], small[6][5];

#pragma acc routine seq
static int doubled(int *value) { return *value * 2; }

#pragma acc routine vector
static int of_routine(int n) {
  int sum = 0;
#pragma acc loop vector reduction(+ : sum)
  for (shared = 0; shared < n; shared++)
    sum += shared;
  return sum;
}

int main(void) {
  static unsigned char local = 9;
  int sum = 0, routine = 0;
#pragma acc parallel loop reduction(+ : sum) copy(seen)
  for (shared = 0; shared < 40; shared++) {
    sum += shared;
    seen[shared] += shared + doubled(&shared);
  }
#pragma acc parallel loop collapse(2) copy(small)
  for (narrow = 5; narrow >= 0; narrow--)
    for (local = 0; local < 5L; local += 2)
      small[narrow][local] += narrow * 10 + local;
#pragma acc kernels loop independent copy(seen)
  for (local = 0; local < 40; local++) {
    int before = seen[local];
#pragma acc loop seq
    for (narrow = 0; narrow < local; narrow++)
      before += narrow;
    seen[local] = before;
  }
#pragma acc parallel num_gangs(1) copy(small, routine)
  {
#pragma acc loop worker
    for (shared = 0; shared < 6; shared++) {
#pragma acc loop vector
      for (local = 0; local < 5; local++)
        small[shared][local] += 100;
    }
    routine = of_routine(20);
  }
  printf("%d %d %d %d %d %d\n", sum, routine, shared, narrow, local, *where);
  for (int i = 0; i < 40; i++)
    printf("%d ", seen[i]);
  for (int i = 0; i < 30; i++)
    printf("%d ", small[i / 5][i % 5]);
  printf("\n");
  return 0;
}
