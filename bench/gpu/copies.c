// Copies between the program's memory and a device, GB/s, each the best of six, as the host sees it; the last
// column has memory that nobody has written to before, whose pages the system hands out meanwhile. Beside CUDA's
// (copies.cu):
//
//     accrue run --device cuda bench/gpu/copies.c
//     nvcc -O2 -o copies bench/gpu/copies.cu && ./copies
#include <openacc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec + 1e-9 * time.tv_nsec;
}

static void up(char *device, char *a, size_t bytes) { acc_memcpy_to_device(device, a, bytes); }

static void down(char *device, char *a, size_t bytes) { acc_memcpy_from_device(a, device, bytes); }

static void queue_up(char *device, char *a, size_t bytes) {
  acc_memcpy_to_device_async(device, a, bytes, 1);
  acc_wait(1);
}

static void queue_down(char *device, char *a, size_t bytes) {
  acc_memcpy_from_device_async(a, device, bytes, 1);
  acc_wait(1);
}

static double rate(void (*copy)(char *, char *, size_t), char *device, char *a, size_t bytes) {
  double best = 1e9;
  for (int round = 0; round < 6; round++) {
    char *memory = a ? a : malloc(bytes);
    double time = now();
    copy(device, memory, bytes);
    time = now() - time;
    best = time < best ? time : best;
    if (!a)
      free(memory);
  }
  return bytes / best / 1e9;
}

int main(void) {
  acc_init(acc_device_default);
  printf("   MiB      up    down  queue: up  down  new memory: down\n");
  for (size_t bytes = 1 << 20; bytes <= 1 << 30; bytes *= 4) {
    char *a = malloc(bytes), *device = acc_malloc(bytes);
    memset(a, 1, bytes);
    printf("%6zu %7.1f %7.1f %10.1f %5.1f %17.1f\n", bytes >> 20, rate(up, device, a, bytes), rate(down, device, a, bytes),
           rate(queue_up, device, a, bytes), rate(queue_down, device, a, bytes), rate(down, device, NULL, bytes));
    acc_free(device);
    free(a);
  }
}
