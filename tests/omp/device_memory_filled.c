// options: -fopenmp
// Routines of OpenMP 6.0: memory of a device is filled, devices have names, and a number means the default.
#include <omp.h>
#include <stdio.h>
#include <string.h>

enum { bytes = 200000 };

int main(void)
{
    int device = omp_get_default_device(), wrong = 0, value = 0;
    unsigned char *block = omp_target_alloc(bytes, device);
    if (omp_target_memset(block, 7, bytes, device) != block)
        return 1;
    omp_target_memset(block + 3, 0x1ff, 70000, device);
    omp_target_memset(block, 1, 0, device);
#pragma omp target teams distribute parallel for is_device_ptr(block) reduction(+ : wrong)
    for (int i = 0; i < bytes; i++)
        wrong += block[i] != (i < 3 || i >= 70003 ? 7 : 0xff);
    printf("%d\n", wrong);

    omp_depend_t object;
#pragma omp depobj(object) depend(inout: value)
#pragma omp task depend(out: value) shared(value)
    value = 1;
    omp_target_memset_async(block, 9, 16, device, 1, &object);
#pragma omp depobj(object) destroy
#pragma omp target is_device_ptr(block) map(from: wrong)
    wrong = block[15] * 100 + block[16];
    printf("%d %d\n", value, wrong);
    omp_target_free(block, device);

    for (int i = omp_initial_device; i <= omp_get_num_devices(); i++) {
        const char *uid = omp_get_uid_from_device(i);
        int found = omp_get_device_from_uid(uid);
        if (found != (i == omp_initial_device ? omp_get_num_devices() : i))
            printf("%d has the name of %d\n", i, found);
    }
    printf("%d %d\n", omp_get_uid_from_device(omp_get_num_devices() + 1) == 0,
           omp_get_device_from_uid("no device") == omp_invalid_device);
    omp_set_default_device(omp_initial_device);
    omp_set_default_device(omp_default_device);
    int initial = -1;
#pragma omp target device(omp_default_device) map(from: initial)
    initial = omp_is_initial_device();
    printf("%d %d\n", initial,
           strcmp(omp_get_uid_from_device(omp_default_device), omp_get_uid_from_device(omp_initial_device)));
    return 0;
}
