#include <openacc.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 48 };

/* `acc_memcpy_d2d` names data by their addresses on the host, or memory of a device by its own. */
int main(void) {
    const acc_device_t type = acc_get_device_type();
    const int device = acc_get_device_num(type);
    double *from = malloc(N * sizeof *from), *to = malloc(N * sizeof *to);
    for (int i = 0; i < N; i++) {
        from[i] = i;
        to[i] = -1;
    }
    double *raw = acc_malloc(N * sizeof *raw);
    double first = 0, part = 0, through = 0;
    #pragma acc data copyin(from[0:N]) copyin(to[0:N])
    {
        #pragma acc parallel loop present(from[0:N])
        for (int i = 0; i < N; i++) from[i] = 2 * from[i] + 1;
        acc_memcpy_d2d(to, from, N * sizeof *to, device, device);
        #pragma acc parallel loop present(to[0:N]) reduction(+ : first)
        for (int i = 0; i < N; i++) first += to[i];
        /* A part in the middle. */
        acc_memcpy_d2d(to + 4, from + 40, 8 * sizeof *to, device, device);
        #pragma acc parallel loop present(to[0:N]) reduction(+ : part)
        for (int i = 0; i < N; i++) part += i * to[i];
        /* To the device's own memory and back, on a queue. */
        acc_memcpy_d2d_async(raw, from, N * sizeof *raw, device, device, 1);
        #pragma acc parallel loop deviceptr(raw) async(1)
        for (int i = 0; i < N; i++) raw[i] += 0.5;
        acc_memcpy_d2d_async(to, raw, N * sizeof *raw, device, device, 1);
        #pragma acc wait(1)
        #pragma acc parallel loop present(to[0:N]) reduction(+ : through)
        for (int i = 0; i < N; i++) through += to[i];
    }
    printf("%g %g %g\n", first, part, through);
    acc_free(raw);
    free(from);
    free(to);
    return 0;
}
