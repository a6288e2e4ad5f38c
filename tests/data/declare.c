// `declare`: objects with a copy on the device from the start, which routines use by name.
// options: --memory discrete
#include <openacc.h>
#include <stdio.h>

int created[4] = {1, 2, 3, 4};
#pragma acc declare create(created)
static int copied = 10;
#pragma acc declare copyin(copied)
int linked[8] = {0, 1, 2, 3, 4, 5, 6, 7};
#pragma acc declare link(linked)
int resident;
#pragma acc declare device_resident(resident)
int unused[2];
#pragma acc declare create(unused)

#pragma acc routine seq
static int bump(int by) {
  static const int table[2] = {1, 1000};
  copied += by * table[0];
  resident += 1;
  return copied + created[1];
}

static void local(void) {
  int here[2] = {1, 2};
#pragma acc declare copy(here)
#pragma acc serial
  {
    here[0] += 5;
    here[1] += 6;
  }
  printf("inside %d %d, present %d\n", here[0], here[1], acc_is_present(here, sizeof here));
}

int main(void) {
  int result = 0;
  printf("present %d %d %d %d\n", acc_is_present(created, sizeof created), acc_is_present(&copied, sizeof copied),
         acc_is_present(linked, sizeof linked), acc_is_present(unused, sizeof unused));
  copied = 77; // the host's only
#pragma acc serial copyout(result)
  result = bump(3);
  printf("device %d, host %d\n", result, copied);
#pragma acc update self(copied)
  printf("update %d\n", copied);
  created[1] = 500;
#pragma acc update device(created[1:1])
#pragma acc serial copyout(result)
  {
    created[0] = 9;
    result = bump(0);
  }
  printf("device %d, host %d\n", result, created[0]);
#pragma acc data copy(linked[2:4])
  {
    printf("link %d %d\n", acc_is_present(linked + 2, 16), acc_is_present(linked, 4));
#pragma acc serial present(linked[2:4])
    linked[3] = 33;
  }
  printf("link %d %d\n", linked[3], acc_is_present(linked + 2, 16));
#pragma acc serial copyout(result)
  result = resident;
  printf("resident %d\n", result);
  local();
#pragma acc data copy(created)
#pragma acc serial
  created[2] = 8;
  printf("still older: %d\n", created[2]);
#pragma acc update self(created)
  printf("updated: %d %d\n", created[2], created[0]);
  acc_shutdown(acc_device_default);
#pragma acc serial copyout(result)
  result = created[1];
  printf("after shutdown %d\n", result);
  return 0;
}
