/* What several GPUs of one machine do together: copies between their memories, work on all of them at once,
   and chains of tasks that go from one to the next. With one GPU there is nothing to see.

   accrue run --device cuda -fopenmp bench/gpu/devices.c */

#include <omp.h>
#include <stdio.h>

enum { COPY = 1 << 30, MANY = 1 << 24, ROUNDS = 5, CHAIN = 200 };

static double least(double a, double b) { return a < b ? a : b; }

/* Seconds that a kernel of some milliseconds takes on each of the devices from `first` on. */
static double busy(int first, int count, float *const *memory)
{
    double best = 1e9;
    for (int round = 0; round < ROUNDS; round++) {
        double start = omp_get_wtime();
        for (int d = first; d < first + count; d++) {
            float *x = memory[d];
            #pragma omp target teams distribute parallel for device(d) is_device_ptr(x) nowait
            for (int i = 0; i < MANY; i++) {
                float value = i;
                for (int k = 0; k < 2000; k++) value = value * 0.999f + 1;
                x[i] = value;
            }
        }
        #pragma omp taskwait
        best = least(best, omp_get_wtime() - start);
    }
    return best;
}

int main(void)
{
    int devices = omp_get_num_devices();
    if (devices < 2) {
        puts("one device");
        return 0;
    }
    float *memory[64];
    for (int d = 0; d < devices; d++) memory[d] = omp_target_alloc(COPY, d);
    for (long bytes = 8; bytes <= COPY; bytes *= 512) {
        double best = 1e9;
        for (int round = 0; round < ROUNDS; round++) {
            double start = omp_get_wtime();
            omp_target_memcpy(memory[1], memory[0], bytes, 0, 0, 1, 0);
            best = least(best, omp_get_wtime() - start);
        }
        printf("copy of %ld bytes from device 0 to device 1: %.1f us, %.2f GB/s\n", bytes, best * 1e6,
               bytes / best * 1e-9);
    }
    double one = busy(0, 1, memory), all = busy(0, devices, memory);
    printf("the same kernel on one device %.2f ms, on %d at once %.2f ms\n", one * 1e3, devices, all * 1e3);
    int count = 0;
    double best = 1e9;
    for (int round = 0; round < ROUNDS; round++) {
        double start = omp_get_wtime();
        for (int step = 0; step < CHAIN; step++) {
            int d = step % devices;
            float *x = memory[d];
            #pragma omp target device(d) is_device_ptr(x) nowait depend(inout: count)
            x[0] = step;
        }
        #pragma omp taskwait
        best = least(best, omp_get_wtime() - start);
    }
    printf("a chain of %d tasks, each on the next device: %.2f us a task\n", CHAIN, best / CHAIN * 1e6);
    for (int d = 0; d < devices; d++) omp_target_free(memory[d], d);
    return 0;
}
