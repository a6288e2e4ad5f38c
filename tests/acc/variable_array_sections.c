// Sections of arrays of variable length: `firstprivate` copies the section and nothing else, and an array that a gang loop
// reduces is one for all gangs, also where the loop stores to its first element.
#include <stdio.h>

static int zero;

static int section(void) {
  int a[zero + 16];
  int s = 0;
  for (int i = 0; i < 16; i++)
    a[i] = i;
#pragma acc parallel firstprivate(a[6:2]) num_gangs(1) copy(s)
  {
    a[7]++;
    a[0] = 100;
    s += a[6] + a[7] + a[0];
  }
  return s + a[7];
}

static long reduced(int gangs) {
  long r[zero + 1];
  r[0] = 34;
#pragma acc parallel loop gang worker vector reduction(+ : r) copy(r) num_gangs(gangs)
  for (int i = 0; i < 2000; i++)
    r[0] = 1 + r[0];
  return r[0];
}

static long through_pointer(long *p) {
#pragma acc parallel loop gang reduction(+ : p[0 : 1]) copy(p[0 : 1]) num_gangs(4)
  for (int i = 0; i < 100; i++)
    p[0] += i;
  return p[0];
}

int main(void) {
  long x = 5;
  printf("%d\n", section());
  printf("%ld %ld\n", reduced(1), reduced(4));
  printf("%ld\n", through_pointer(&x));
  return 0;
}
