// What the runtime asks of a driver whose kernels do nothing: see driver.c.
#include <openacc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BYTES = 9 << 20 };

int object[4] = {1, 2, 3, 4};
#pragma acc declare create(object)

static void devices(void) {
  printf("%d devices, type %d, number %d\n", acc_get_num_devices(acc_device_nvidia), acc_get_device_type(),
         acc_get_device_num(acc_device_nvidia));
  printf("%s, %s, %s\n", acc_get_property_string(1, acc_device_nvidia, acc_property_name),
         acc_get_property_string(0, acc_device_nvidia, acc_property_vendor),
         acc_get_property_string(0, acc_device_nvidia, acc_property_driver));
}

static void copies(char *a, char *b) {
  char *device = acc_malloc(BYTES);
  acc_memcpy_to_device_async(device, a, BYTES, 1);
  acc_memcpy_from_device_async(b, device, BYTES, 1);
  acc_wait(1);
  printf("through pinned memory: %d\n", memcmp(a, b, BYTES));
  memset(b, 0, BYTES);
#pragma acc enter data copyin(a[0:BYTES])
  acc_memcpy_from_device(b, acc_deviceptr(a), BYTES);
  printf("directly: %d\n", memcmp(a, b, BYTES));
#pragma acc exit data delete(a[0:BYTES])
  acc_free(device);
}

static void launches(char *a) {
  int sum = 5;
#pragma acc data copy(a[0:BYTES])
  {
#pragma acc parallel loop reduction(+ : sum) async(3)
    for (int i = 0; i < BYTES; i++)
      sum += a[i];
#pragma acc parallel loop present(a[0:BYTES]) async(4) wait(3) vector_length(64) num_workers(4)
    for (int i = 0; i < BYTES; i++)
      a[i]++;
#pragma acc wait
#pragma acc serial
    object[1] = sum;
  }
  unsigned late[4] = {1, 2, 3, 4};
#pragma acc serial copyout(late[1 : 2])
  late[1] = late[2] = 5;
  printf("behind a region: %u %x %x %u\n", late[0], late[1], late[2], late[3]);
  printf("sum %d, object present %d\n", sum, acc_is_present(object, sizeof object));
  printf("streams %d %d, handles %d %d\n", acc_get_cuda_stream(3) != NULL, acc_get_cuda_stream(9) != NULL,
         acc_get_current_cuda_context() != NULL, acc_get_current_cuda_device() != NULL);
}

/* From the host to device 0, from there to device 1 behind the queue, and back behind a queue of device 1. */
static void between(char *a, char *b) {
  char *first = acc_malloc(BYTES);
  acc_set_device_num(1, acc_device_nvidia);
  char *second = acc_malloc(BYTES);
  acc_set_device_num(0, acc_device_nvidia);
  memset(b, 0, BYTES);
  acc_memcpy_to_device_async(first, a, BYTES, 1);
  acc_memcpy_d2d_async(second, first, BYTES, 1, 0, 1);
  acc_set_device_num(1, acc_device_nvidia);
#pragma acc wait(devnum: 0 : 1) async(2)
  acc_memcpy_from_device_async(b, second, BYTES, 2);
  acc_wait(2);
  printf("between devices: %d\n", memcmp(a, b, BYTES));
  acc_free(second);
  acc_set_device_num(0, acc_device_nvidia);
  acc_free(first);
}

int main(void) {
  char *a = malloc(BYTES), *b = malloc(BYTES);
  for (int i = 0; i < BYTES; i++)
    a[i] = i * 7 % 101;
  devices();
  copies(a, b);
  launches(a);
  between(a, b);
  acc_set_device_num(1, acc_device_nvidia);
#pragma acc data copy(b[0:BYTES])
  printf("device %d: %d\n", acc_get_device_num(acc_device_nvidia), acc_is_present(b, BYTES));
  acc_set_device_type(acc_device_host);
  int on_host = 0;
#pragma acc parallel copy(on_host)
  on_host = 9;
  printf("host %d\n", on_host);
  return 0;
}
