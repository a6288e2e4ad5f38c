// As copies.c: memory of the C library, and memory that is pinned.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>

static double now() {
  timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec + 1e-9 * time.tv_nsec;
}

static double rate(bool is_up, char *device, char *a, size_t bytes) {
  double best = 1e9;
  for (int round = 0; round < 6; round++) {
    char *memory = a ? a : (char *)malloc(bytes);
    double time = now();
    if (is_up)
      cudaMemcpy(device, memory, bytes, cudaMemcpyHostToDevice);
    else
      cudaMemcpy(memory, device, bytes, cudaMemcpyDeviceToHost);
    time = now() - time;
    best = time < best ? time : best;
    if (!a)
      free(memory);
  }
  return bytes / best / 1e9;
}

int main() {
  printf("   MiB      up    down pinned: up  down  new memory: down\n");
  for (size_t bytes = 1 << 20; bytes <= 1 << 30; bytes *= 4) {
    char *a = (char *)malloc(bytes), *pinned, *device;
    cudaMallocHost(&pinned, bytes);
    cudaMalloc(&device, bytes);
    memset(a, 1, bytes);
    memset(pinned, 1, bytes);
    printf("%6zu %7.1f %7.1f %10.1f %5.1f %17.1f\n", bytes >> 20, rate(true, device, a, bytes), rate(false, device, a, bytes),
           rate(true, device, pinned, bytes), rate(false, device, pinned, bytes), rate(false, device, nullptr, bytes));
    cudaFree(device);
    cudaFreeHost(pinned);
    free(a);
  }
}
