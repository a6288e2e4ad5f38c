// What the first lane has read decides about branches that operators bring along: products and quotients of complex numbers
// look for NaN, division and conversions of 128-bit integers are loops. All lanes need it.
#include <complex.h>
#include <stdio.h>

int main(void) {
  double _Complex z = 3 + 4 * I;
  __int128 wide = (__int128)1 << 100;
  float _Complex product = 5;
  int sum = 0;
#pragma acc parallel reduction(* : product)
  {
    z = z * z;
    z = 25 / z;
    z = (int)(100 * creal(z));
#pragma acc loop gang worker vector reduction(* : product)
    for (int i = 0; i < 1; i++)
      product *= 2 * I;
  }
#pragma acc parallel copy(sum) num_gangs(1)
  {
    sum = 1;
    wide = wide / 1000003 + wide % 1000003;
    wide = (__int128)(double)wide;
#pragma acc loop worker vector reduction(+ : sum)
    for (int i = 0; i < 10; i++)
      sum += i;
  }
  printf("%g %g %d\n", creal(product), cimag(product), sum);
}
