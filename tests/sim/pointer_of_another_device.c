/* What `acc_malloc` gives is an address of one device: with MIXED the other one uses it. */

#include <openacc.h>

int main(void)
{
    acc_device_t type = acc_get_device_type();
    for (int device = 0; device < 2; device++) {
        acc_set_device_num(device, type);
        int *p = acc_malloc(100 * sizeof *p);
#ifdef MIXED
        acc_set_device_num(1 - device, type);
#endif
        #pragma acc parallel loop deviceptr(p)
        for (int i = 0; i < 100; i++) p[i] = i;
        acc_set_device_num(device, type);
        acc_free(p);
    }
    return 0;
}
