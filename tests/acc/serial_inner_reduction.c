// In `serial` one lane executes every loop, so that an inner loop needs no clause; what it writes is a value for all lanes of the
// warp nevertheless, which branch on it together.
#include <stdio.h>

static int zero;

int main(void) {
  int found = 0, product = 1, five = 5;
#pragma acc serial copy(found, product, five)
  {
#pragma acc loop gang reduction(|| : found) reduction(* : product)
    for (int i = 10; i >= zero + 9; i--) {
#pragma acc loop worker reduction(|| : found)
      for (int j = 3; j > 2; j--) {
#pragma acc loop vector
        for (int k = 0; k != 1; k++)
          found = 1;
      }
      product = product * 3;
      found = found || five == 5;
    }
  }
  printf("%d %d\n", found, product);
}
