// `declare present` and `deviceptr` of parameters are about what pointers lead to.
// options: --memory discrete
#include <stdio.h>

static void present(int *p, int n) {
#pragma acc declare present(p)
#pragma acc parallel loop
  for (int i = 0; i < n; i++)
    p[i] = 2 * i;
}

static void of_array(int p[4]) {
#pragma acc declare present(p)
#pragma acc parallel loop
  for (int i = 0; i < 4; i++)
    p[i] += 1;
}

static void device(int *p, int n) {
#pragma acc declare deviceptr(p)
#pragma acc parallel loop
  for (int i = 0; i < n; i++)
    p[i] *= 3;
}

int main(void) {
  int a[4] = {0};
#pragma acc data copy(a)
  {
    present(a, 4);
    of_array(a);
#pragma acc host_data use_device(a)
    device(a, 4);
  }
  printf("%d %d\n", a[0], a[3]);
  return 0;
}
