#include <openacc.h>
#include <stdio.h>

/* What a program takes of a device is not free any more, however little it is; 0 is no answer. */
int main(void) {
    const acc_device_t type = acc_get_device_type();
    const int device = acc_get_device_num(type);
    const size_t before = acc_get_property(device, type, acc_property_free_memory);
    int *few = acc_malloc(1000 * sizeof *few);
    const size_t then = acc_get_property(device, type, acc_property_free_memory);
    acc_free(few);
    printf("%d %d\n", few != NULL, before == 0 || then + 1000 * sizeof *few <= before);
    printf("%d\n", acc_malloc(0) == NULL);
    return 0;
}
