// A branch whose ways lead to one place, behind a read that the first lane alone executes: nothing is left of it in PTX.
#include <stdio.h>

static int data[4] = {1, 2, 3, 4};

int main(void) {
  int sum = 0;
#pragma acc parallel copyin(data) copy(sum)
  {
#pragma acc loop gang reduction(+ : sum)
    for (int i = 0; i < 8; i++) {
      for (int k = 0; k < 4; k++) {
        if (data[k] % 3 == 2)
          continue;
        int value = k, seen;
#pragma acc atomic read
        seen = value;
        if (k) {
        }
      }
#pragma acc loop vector reduction(+ : sum)
      for (int j = 0; j < 2; j++)
        sum += i;
    }
  }
  printf("%d\n", sum);
}
