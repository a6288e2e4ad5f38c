// A `float _Complex` is aligned for a `float` only, so that no compare-and-swap of all of it may be used.
#include <complex.h>
#include <stdio.h>

int main(void) {
  float _Complex total[3] = {1, 2 * I, 3 + I};
  float _Complex product = 1;
#pragma acc parallel loop gang reduction(* : product) reduction(+ : total[1:2])
  for (int g = 0; g < 3; g++) {
    char odd = 1;
    float _Complex own[2] = {0, g};
#pragma acc loop worker reduction(| : odd) reduction(+ : own)
    for (int i = 0; i < 40; i++) {
      odd |= i;
      own[i & 1] += i + I;
    }
    total[1 + g % 2] += g + I;
    product *= odd == 63 && own[0] == 380 + 20 * I && own[1] == 400 + g + 20 * I ? I : 2;
  }
  printf("%g %g %g %g\n", creal(total[1]), cimag(total[2]), creal(product) + 0.0, cimag(product));
}
