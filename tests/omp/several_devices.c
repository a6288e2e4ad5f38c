// options: -fopenmp
/* Each device has a memory, objects and a number of its own, however many there are; tasks of several
   devices depend on each other. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#define N 1000
static int fails;
#define CHECK(c) do { if (!(c)) { printf("line %d: %s\n", __LINE__, #c); fails++; } } while (0)
#pragma omp declare target
int table[8];
int number(void) { return omp_get_device_num(); }
int initial(void) { return omp_is_initial_device(); }
int many(void) { return omp_get_num_devices() * 100 + omp_get_initial_device(); }
#pragma omp end declare target
int main(void)
{
    int n = omp_get_num_devices();
    int host = omp_get_initial_device();
    CHECK(host == n);
    /* n devices; host as well */
    for (int d = 0; d <= n; d++) {
        int where = -5, is = -1, m = -1, w2 = -5;
        #pragma omp target device(d) map(from: where, is, m, w2)
        { where = number(); is = initial(); m = many(); w2 = omp_get_device_num(); }
        CHECK(where == d); CHECK(w2 == d); CHECK(is == (d == n)); CHECK(m == 100 * n + n);
    }
    int part[16][N];
    for (int d = 0; d < n; d++) {
        table[1] = d * 7;
        #pragma omp target update to(table) device(d)
        #pragma omp target enter data map(alloc: part[d:1][0:N]) device(d)
    }
    table[1] = -1;
    for (int d = 0; d < n; d++) {
        #pragma omp target teams distribute parallel for device(d) nowait depend(out: part[d])
        for (int i = 0; i < N; i++) part[d][i] = i + table[1];
    }
    for (int d = 0; d < n; d++) {
        #pragma omp target update from(part[d:1][0:N]) device(d) nowait depend(inout: part[d])
    }
    #pragma omp taskwait
    for (int d = 0; d < n; d++) CHECK(part[d][3] == 3 + d * 7);
    for (int d = 0; d < n; d++) {
        CHECK(omp_target_is_present(&part[d][0], d));
        if (n > 1) CHECK(!omp_target_is_present(&part[d][0], (d + 1) % n));
        #pragma omp target exit data map(delete: part[d:1][0:N]) device(d)
        CHECK(!omp_target_is_present(&part[d][0], d));
    }
    /* chain across devices through the host */
    int v[N];
    for (int i = 0; i < N; i++) v[i] = 1;
    for (int s = 0; s < 12; s++) {
        int d = n ? s % n : 0;
        #pragma omp target teams distribute parallel for device(d) nowait depend(inout: v) map(tofrom: v)
        for (int i = 0; i < N; i++) v[i] = v[i] * 2 + s;
    }
    #pragma omp taskwait
    int want = 1; for (int s = 0; s < 12; s++) want = want * 2 + s;
    CHECK(v[0] == want && v[N - 1] == want);
    /* large ones, and what a device leaves on the host the next one takes */
    static float large[1 << 18];
    for (int s = 0; s < 8; s++) {
        int d = n ? s % n : 0;
        #pragma omp target enter data map(to: large) device(d) nowait depend(inout: large)
        #pragma omp target teams distribute parallel for device(d) nowait depend(inout: large)
        for (int i = 0; i < 1 << 18; i++) large[i] = large[i] * 2 + 1;
        #pragma omp target exit data map(from: large) device(d) nowait depend(inout: large)
    }
    #pragma omp taskwait
    CHECK(large[0] == 255 && large[(1 << 18) - 1] == 255);
    /* device memory on each, ring copies */
    int *dev[17];
    for (int d = 0; d <= n; d++) {
        dev[d] = omp_target_alloc(N * sizeof(int), d);
        int *q = dev[d];
        #pragma omp target teams loop device(d) is_device_ptr(q)
        for (int i = 0; i < N; i++) q[i] = i + d;
    }
    for (int d = 0; d < n; d++)
        CHECK(omp_target_memcpy(dev[d + 1], dev[d], (N / 2) * sizeof(int), 0, 0, d + 1, d) == 0);
    for (int d = 0; d <= n; d++) {
        int *q = dev[d]; long s = 0;
        #pragma omp target teams loop device(d) is_device_ptr(q) reduction(+:s)
        for (int i = 0; i < N; i++) s += q[i];
        CHECK(s == (long)N * (N - 1) / 2 + (long)(N / 2) * d);
    }
    /* associate */
    int a[N];
    for (int d = 0; d < n; d++) {
        CHECK(omp_target_associate_ptr(a, dev[d], sizeof a, 0, d) == 0);
        CHECK(omp_get_mapped_ptr(a, d) == dev[d]);
    }
    for (int d = 0; d < n; d++) {
        #pragma omp target update from(a) device(d)
        CHECK(a[N - 1] == N - 1 + d);
        CHECK(omp_target_disassociate_ptr(a, d) == 0);
    }
    for (int d = 0; d <= n; d++) omp_target_free(dev[d], d);
    /* what a construct around says of a part is nothing that another device has */
    if (n > 1) {
        int part[12];
        for (int i = 0; i < 12; i++) part[i] = i;
        #pragma omp target data device(0) map(alloc: part[7:4])
        {
            #pragma omp target teams loop device(1)
            for (int i = 3; i < 9; i++) part[i] *= 2;
        }
        for (int i = 0; i < 12; i++) CHECK(part[i] == (i >= 3 && i < 9 ? 2 * i : i));
    }
    /* default device */
    for (int d = 0; d < n; d++) {
        omp_set_default_device(d);
        int where = -1;
        #pragma omp target map(from: where)
        where = omp_get_device_num();
        CHECK(where == d);
        #pragma omp target data map(tofrom: a)
        {
            omp_set_default_device(0);
            CHECK(omp_target_is_present(a, d));
        }
        CHECK(!omp_target_is_present(a, d));
    }
    /* threads, a device each */
    long t[16] = {0};
    #pragma omp parallel for num_threads(4)
    for (int k = 0; k < 8; k++) {
        int d = n ? k % n : 0; long s = 0;
        #pragma omp target teams distribute parallel for device(d) reduction(+:s) map(tofrom:s)
        for (int i = 0; i < N; i++) s += i * (k + 1);
        t[k] = s;
    }
    for (int k = 0; k < 8; k++) CHECK(t[k] == (long)N * (N - 1) / 2 * (k + 1));
    puts(fails ? "wrong" : "right");
    return fails != 0;
}
