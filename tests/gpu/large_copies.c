// Copies that threads share: see driver.c.
#include <openacc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// No whole number of chunks.
enum { BYTES = (40 << 20) + 123 };

static void fill(unsigned char *a, int factor) {
  for (int i = 0; i < BYTES; i++)
    a[i] = i * factor % 251;
}

static int waited(unsigned char *a, unsigned char *b, unsigned char *device) {
  int wrong = 0;
  for (int round = 1; round <= 4; round++) {
    fill(a, round);
    acc_memcpy_to_device(device, a, BYTES);
    memset(b, 0, BYTES);
    acc_memcpy_from_device(b, device, BYTES);
    wrong += memcmp(a, b, BYTES) != 0;
  }
  return wrong;
}

static int queued(unsigned char *a, unsigned char *b, unsigned char *device) {
  fill(a, 5);
  acc_memcpy_to_device_async(device, a, BYTES, 1);
  acc_memcpy_from_device_async(b, device, BYTES, 1);
  memset(a, 0, BYTES);
  // What has not come down yet goes up again.
  acc_memcpy_to_device_async(device, b, BYTES, 2);
  acc_memcpy_from_device_async(a, device, BYTES, 2);
  acc_wait_all();
  int wrong = memcmp(a, b, BYTES) != 0;
  fill(b, 5);
  return wrong + (memcmp(a, b, BYTES) != 0);
}

int main(void) {
  unsigned char *a = malloc(BYTES), *b = malloc(BYTES), *device = acc_malloc(BYTES);
  int wrong = getenv("ON_QUEUES") ? queued(a, b, device) : waited(a, b, device);
  printf("wrong %d\n", wrong);
  acc_free(device);
  return 0;
}
