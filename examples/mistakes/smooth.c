// A loop that is not parallel, though it says so: each element is made of the new one before it.
#include <stdio.h>

int main(void) {
  float a[1000];
  for (int i = 0; i < 1000; i++) a[i] = i % 10;
#pragma acc parallel loop copy(a)
  for (int i = 1; i < 1000; i++)
    a[i] = 0.5f * (a[i] + a[i - 1]);
  printf("%g\n", a[999]);
}
