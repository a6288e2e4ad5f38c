// Chunks of a fixed size go to the gangs in turn, whatever else a loop is shared between: the gang that writes an element
// in one loop is the one that reads it in the next, and in one of another length.
// also: --gangs 3
#include <stdio.h>

#define N 1000

static int owner(int i, int chunk, int gangs) { return i / chunk % gangs; }

int main(void) {
  static int first[N], second[N], third[N], gangs;
  int wrong = 0;
  for (int chunk = 1; chunk < 400; chunk += 57) {
#pragma acc parallel num_gangs(3) copy(first, second, third, gangs)
    {
      gangs = __builtin_goacc_parlevel_size(0);
#pragma acc loop gang(static : chunk)
      for (int i = 0; i < N; i++)
        first[i] = __builtin_goacc_parlevel_id(0);
#pragma acc loop gang(static : chunk) vector
      for (int i = 0; i < N; i++)
        second[i] = first[i] == __builtin_goacc_parlevel_id(0);
#pragma acc loop gang(static : chunk) worker
      for (int i = 0; i < N / 3; i++)
        third[i] = first[i] == __builtin_goacc_parlevel_id(0);
    }
    for (int i = 0; i < N; i++)
      wrong += first[i] != owner(i, chunk, gangs) || !second[i] || (i < N / 3 && !third[i]);
  }
  printf("%d wrong\n", wrong);
  return 0;
}
