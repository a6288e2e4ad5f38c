// A sum without its clause.
#include <stdio.h>

int main(void) {
  float total = 0, a[1000];
  for (int i = 0; i < 1000; i++) a[i] = 1;
#pragma acc parallel loop copyin(a) copy(total)
  for (int i = 0; i < 1000; i++)
    total += a[i];
  printf("%g\n", total);
}
