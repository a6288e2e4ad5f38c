// A loop of one iteration is removed once the function that its body calls is in place; the lock of its reduction stays.
#include <complex.h>
#include <stdio.h>

static int zero;

#pragma acc routine seq
static int nothing(int a) { return 0; }

int main(void) {
  double _Complex product = 3;
#pragma acc parallel vector_length(zero + 33) copy(product)
  {
#pragma acc loop reduction(* : product)
    for (int i = 0; i < 1; i++) {
      product *= 2 * I;
#pragma acc loop
      for (int j = 0; j < zero + 1; j++)
        switch (nothing(j)) {
        }
    }
  }
  printf("%g %g\n", creal(product), cimag(product));
}
