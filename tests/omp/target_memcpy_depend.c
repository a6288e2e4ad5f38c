// options: -fopenmp
// `omp_target_memcpy_async` and its like wait for the tasks that their dependences name, on the host and
// the device.
#include <omp.h>
#include <stdio.h>

enum { N = 64 };

int main(void)
{
    int device = omp_get_default_device(), host = omp_get_initial_device();
    int from[N] = {0}, to[N] = {0}, corner[4] = {0};
    int *there = omp_target_alloc(sizeof from, device);
    omp_depend_t order[2];
#pragma omp depobj(order[0]) depend(inout : from)
#pragma omp depobj(order[1]) depend(in : to)
#pragma omp parallel
#pragma omp single
    {
#pragma omp task depend(out : from) shared(from)
        {
            for (volatile int i = 0; i < 200000; i++) {
            }
            for (int i = 0; i < N; i++)
                from[i] = i;
        }
        omp_target_memcpy_async(there, from, sizeof from, 0, 0, device, host, 1, order);
#pragma omp target is_device_ptr(there) depend(inout : from) nowait
        for (int i = 0; i < N; i++)
            there[i] = 2 * there[i] + 1;
        omp_target_memcpy_async(to, there, sizeof from, 0, 0, host, device, 2, order);
#pragma omp task depend(in : from) shared(to)
        printf("%d %d\n", to[0], to[N - 1]);
#pragma omp target is_device_ptr(there) depend(inout : from) nowait
        for (int i = 0; i < N; i++)
            there[i] = -i;
        size_t volume[] = {2, 2}, none[] = {0, 0}, at[] = {3, 5}, small[] = {2, 2}, large[] = {8, 8};
        omp_target_memcpy_rect_async(
            corner, there, sizeof(int), 2, volume, none, at, small, large, host, device, 1, order);
        printf("%d %d %d %d\n", corner[0], corner[1], corner[2], corner[3]);
    }
#pragma omp depobj(order[0]) destroy
#pragma omp depobj(order[1]) destroy
    omp_target_free(there, device);
    return 0;
}
