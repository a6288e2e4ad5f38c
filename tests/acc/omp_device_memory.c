// Routines for device memory, and addresses of the device in clauses.
// options: -fopenmp
#include <omp.h>
#include <stdio.h>
#include <string.h>

#define N 60

static int failures;

static void expect(const char *what, int holds) {
    if (!holds) {
        printf("%s\n", what);
        failures++;
    }
}

static void allocated(int d, int h) {
    int *p = omp_target_alloc(N * sizeof(int), d), back[N];
#pragma omp target is_device_ptr(p)
    for (int i = 0; i < N; i++) p[i] = i;
    expect("memcpy", omp_target_memcpy(back, p, N * sizeof(int), 0, 0, h, d) == 0 && back[N - 1] == N - 1);
    back[3] = 33;
    expect("offsets", omp_target_memcpy(p, back, 4, 4, 12, d, h) == 0);
    expect("within", omp_target_memcpy(p, p, 8, 16, 0, d, d) == 0);
    expect("async", omp_target_memcpy_async(back, p, 24, 0, 0, h, d, 0, NULL) == 0);
    expect("contents", back[1] == 33 && back[4] == 0 && back[5] == 33);
    expect("no such device", omp_target_alloc(8, 77) == NULL && omp_target_memcpy(p, p, 1, 0, 0, d, 77) != 0);
    size_t volume[2] = { 2, 3 }, to[2] = { 1, 0 }, from[2] = { 2, 4 }, small[2] = { 4, 3 }, large[2] = { 6, 10 };
    int box[4][3] = { { 0 } };
    expect("rectangle", omp_target_memcpy_rect(box, p, sizeof(int), 2, volume, to, from, small, large, h, d) == 0);
    expect("rows", box[1][0] == 24 && box[2][2] == 36 && box[0][0] == 0 && box[3][0] == 0);
    expect("dimensions", omp_target_memcpy_rect(NULL, NULL, 0, 0, NULL, NULL, NULL, NULL, NULL, d, h) >= 3);
    omp_target_free(p, d);
    omp_target_free(NULL, d);
}

static void associated(int d, int h, int separate) {
    static int data[N];
    int *p = omp_target_alloc(sizeof data, d);
    if (!separate) {
        expect("the host has no others", omp_target_associate_ptr(data, p, sizeof data, 0, d) != 0);
        omp_target_free(p, d);
        return;
    }
    expect("associate", omp_target_associate_ptr(data, p, sizeof data, 0, d) == 0);
    expect("again", omp_target_associate_ptr(data, p, sizeof data, 0, d) == 0);
    expect("otherwise", omp_target_associate_ptr(data, p, sizeof data, 4, d) != 0);
    expect("mapped", omp_get_mapped_ptr(&data[2], d) == p + 2 && omp_target_is_present(data, d));
    for (int i = 0; i < N; i++) data[i] = i;
#pragma omp target update to(data)
#pragma omp target map(alloc : data)
    for (int i = 0; i < N; i++) data[i] *= 2;
#pragma omp target exit data map(delete : data)
    expect("stays", omp_target_is_present(data, d) && data[5] == 5);
#pragma omp target update from(data)
    expect("updated", data[5] == 10);
    expect("disassociate", omp_target_disassociate_ptr(data, d) == 0 && !omp_target_is_present(data, d));
    expect("twice", omp_target_disassociate_ptr(data, d) != 0 && omp_get_mapped_ptr(data, d) == NULL);
    omp_target_free(p, d);
}

static void addresses(int d, int h) {
    int array[N], *p = array, other[N], scalar = 4, out = 0;
    for (int i = 0; i < N; i++) array[i] = i;
#pragma omp target data map(tofrom : array, scalar) use_device_ptr(p)
    {
        expect("device pointer", p == omp_get_mapped_ptr(array, d));
        omp_target_memcpy(other, p, sizeof array, 0, 0, h, d);
#pragma omp target is_device_ptr(p)
        for (int i = 0; i < N; i++) p[i]++;
    }
    expect("use_device_ptr", other[7] == 7 && array[7] == 8 && p == array);
#pragma omp target data map(tofrom : array, scalar) use_device_addr(array, scalar)
    {
        omp_target_memcpy(other, array, sizeof array, 0, 0, h, d);
#pragma omp target has_device_addr(array, scalar) map(from : out)
        {
            for (int i = 0; i < N; i++) array[i] += scalar;
            out = scalar;
            scalar = 9;
        }
    }
    expect("use_device_addr", other[7] == 8 && array[7] == 12 && out == 4 && scalar == 9);
#pragma omp target data map(tofrom : array) use_device_ptr(array)
#pragma omp target is_device_ptr(array)
    array[1] = 77;
    expect("an array in use_device_ptr", array[1] == 77);
    int absent[2] = { 1, 2 }, *q = absent;
#pragma omp target data map(to : array) use_device_ptr(q)
    expect("not present", q == absent);
}

int main(void) {
    int d = omp_get_default_device(), h = omp_get_initial_device(), separate = omp_get_num_devices() > 0;
    allocated(d, h);
    associated(d, h, separate);
    addresses(d, h);
    int x = 0;
    expect("accessible", omp_target_is_accessible(&x, sizeof x, h) && omp_target_is_accessible(&x, 4, d) == !separate);
    expect("itself", omp_get_mapped_ptr(&x, h) == &x);
    printf("%d\n", failures);
    return failures;
}
