/* Each device has a memory, queues and objects of its own, however many there are: data, waits across
   devices and copies between them. */
#include <openacc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define N 1000
int table[8];
#pragma acc declare create(table)
int seen;
#pragma acc declare copyin(seen)
#pragma acc routine seq
int of_table(int i) { return table[i] + seen; }
static int fails;
#define CHECK(c) do { if (!(c)) { printf("line %d: %s\n", __LINE__, #c); fails++; } } while (0)
int main(void)
{
    acc_device_t t = acc_get_device_type();
    /* The program's own memory is nobody's copy. */
    int shares = acc_get_property(0, t, acc_property_shared_memory_support);
    int n = acc_get_num_devices(t);
    CHECK(n >= 1);
    int *x[16]; long sums[16];
    /* Each device its part, queues of one number on each */
    for (int d = 0; d < n; d++) {
        acc_set_device_num(d, t);
        CHECK(acc_get_device_num(t) == d);
        x[d] = malloc(N * sizeof(int));
        for (int i = 0; i < N; i++) x[d][i] = i;
        #pragma acc enter data copyin(x[d:1][0:N])
        table[0] = d + 1; 
        #pragma acc update device(table)
        seen = 100 * d;
        #pragma acc update device(seen)
    }
    for (int d = 0; d < n; d++) {
        acc_set_device_num(d, t);
        int *p = x[d];
        #pragma acc parallel loop present(p[0:N]) async(1)
        for (int i = 0; i < N; i++) p[i] = p[i] * 2 + of_table(0);
    }
    for (int d = 0; d < n; d++) {
        acc_set_device_num(d, t);
        int *p = x[d]; long s = 0;
        #pragma acc parallel loop present(p[0:N]) reduction(+:s) async(1) copy(s)
        for (int i = 0; i < N; i++) s += p[i];
        #pragma acc wait(1)
        sums[d] = s;
        CHECK(s == (long)N * (N - 1) + (long)N * (d + 1 + 100 * d));
    }
    for (int d = 0; d < n; d++)
        for (int e = 0; e < n; e++) {
            acc_set_device_num(e, t);
            CHECK(!!acc_is_present(x[d], 4) == (d == e || shares));
        }
    /* wait for another device's queue */
    for (int d = 0; d < n; d++) {
        acc_set_device_num(d, t);
        int *p = x[d];
        #pragma acc parallel loop present(p[0:N]) async(2)
        for (int i = 0; i < N; i++) p[i] += 5;
        #pragma acc update self(p[0:N]) async(2)
    }
    acc_set_device_num(0, t);
    for (int d = 0; d < n; d++) {
        #pragma acc wait(devnum: d : queues: 2)
        CHECK(acc_async_test_device(2, d));
        CHECK(x[d][7] == 14 + d + 1 + 100 * d + 5);
    }
    for (int d = 0; d < n; d++) { acc_wait_all_device(d); CHECK(acc_async_test_all_device(d)); }
    /* structured region on one, others current inside */
    for (int d = 0; d < n; d++) {
        int y[N], z[N];
        for (int i = 0; i < N; i++) y[i] = i, z[i] = 0;
        acc_set_device_num(d, t);
        #pragma acc data copy(y)
        {
            acc_set_device_num((d + 1) % n, t);
            CHECK(!!acc_is_present(y, 4) == (n == 1 || shares));
            #pragma acc data copy(z)
            {
                #pragma acc parallel loop
                for (int i = 0; i < N; i++) z[i] += i;
                acc_set_device_num(d, t);
                #pragma acc parallel loop present(y)
                for (int i = 0; i < N; i++) y[i] += 3;
            }
        }
        CHECK(y[10] == 13); CHECK(z[10] == 10);
    }
    /* device memory and copies between devices */
    int *dev[16];
    for (int d = 0; d < n; d++) {
        acc_set_device_num(d, t);
        dev[d] = acc_malloc(N * sizeof(int));
        int *q = dev[d];
        #pragma acc parallel loop deviceptr(q)
        for (int i = 0; i < N; i++) q[i] = i * (d + 1);
    }
    for (int d = 0; d + 1 < n; d++)
        acc_memcpy_d2d(dev[d + 1], dev[d], N * sizeof(int), d + 1, d);
    for (int d = 0; d < n; d++) {
        int *q = dev[d]; long s = 0;
        acc_set_device_num(d, t);
        #pragma acc parallel loop deviceptr(q) reduction(+:s)
        for (int i = 0; i < N; i++) s += q[i];
        CHECK(s == (long)N * (N - 1) / 2);
        acc_free(dev[d]);
    }
    /* A chain over all devices: each takes what the one before has left on the host, when that is there. */
    int *chain = malloc(N * sizeof(int));
    for (int i = 0; i < N; i++) chain[i] = i;
    for (int step = 0; step < 3 * n; step++) {
        int d = step % n, before = (step + n - 1) % n;
        acc_set_device_num(d, t);
        #pragma acc enter data create(chain[0:N])
        if (step % 2) {
            #pragma acc update device(chain[0:N]) async(1) wait(devnum: before : queues: 1)
        } else {
            #pragma acc wait(devnum: before : queues: 1) async(1)
            #pragma acc update device(chain[0:N]) async(1)
        }
        #pragma acc parallel loop present(chain[0:N]) async(1)
        for (int i = 0; i < N; i++) chain[i] = chain[i] * 2 + step;
        #pragma acc update self(chain[0:N]) async(1)
    }
    acc_wait_all_device((3 * n - 1) % n);
    long at = 7;
    for (int step = 0; step < 3 * n; step++) at = (at * 2 + step) & 0xffffffff;
    CHECK(chain[7] == (int)at);
    for (int d = 0; d < n; d++) {
        acc_set_device_num(d, t);
        acc_delete_finalize(chain, N * sizeof(int));
    }
    free(chain);
    /* A queue of one device waits for one of another, and takes a copy of the other's memory behind it. */
    for (int d = 0; d < n; d++) {
        int e = (d + 1) % n;
        acc_set_device_num(e, t);
        int *to = acc_malloc(N * sizeof(int));
        acc_set_device_num(d, t);
        int *from = acc_malloc(N * sizeof(int));
        #pragma acc parallel loop deviceptr(from) async(5)
        for (int i = 0; i < N; i++) from[i] = 3 * i;
        acc_memcpy_d2d_async(to, from, N * sizeof(int), e, d, 5);
        acc_set_device_num(e, t);
        acc_wait_device_async(5, 6, d);
        long s = 0;
        #pragma acc parallel loop deviceptr(to) reduction(+:s) copy(s) async(6)
        for (int i = 0; i < N; i++) s += to[i];
        acc_wait(6);
        CHECK(s == 3L * N * (N - 1) / 2);
        acc_free(to);
        acc_set_device_num(d, t);
        acc_free(from);
    }
    /* The same memory has an address on each device, where pointers in copies lead to its own copies. */
    struct list { int count, *items; } list[2];
    for (int k = 0; k < 2; k++) {
        list[k].count = 10 * (k + 1);
        list[k].items = malloc(list[k].count * sizeof(int));
        for (int i = 0; i < list[k].count; i++) list[k].items[i] = k + i;
    }
    for (int d = 0; d < n; d++) {
        acc_set_device_num(d, t);
        #pragma acc enter data copyin(list)
        for (int k = 0; k < 2; k++) {
            #pragma acc enter data copyin(list[k].items[0:list[k].count])
        }
        for (int e = 0; e < d && !shares; e++) {
            void *here = acc_deviceptr(list);
            acc_set_device_num(e, t);
            CHECK(acc_deviceptr(list) != here);
            acc_set_device_num(d, t);
        }
    }
    for (int d = n - 1; d >= 0; d--) {
        acc_set_device_num(d, t);
        long s = 0;
        #pragma acc parallel loop present(list) reduction(+:s)
        for (int k = 0; k < 2; k++)
            for (int i = 0; i < list[k].count; i++) s += list[k].items[i];
        CHECK(s == 45 + 190 + 20);
        for (int k = 0; k < 2; k++) {
            #pragma acc exit data delete(list[k].items[0:list[k].count])
        }
        #pragma acc exit data delete(list)
    }
    for (int k = 0; k < 2; k++) free(list[k].items);
    /* What a construct around says of a part is nothing that another device has. */
    if (n > 1 && !shares) {
        int part[12];
        for (int i = 0; i < 12; i++) part[i] = i;
        acc_set_device_num(0, t);
        #pragma acc data create(part[7:4])
        {
            acc_set_device_num(1, t);
            #pragma acc parallel loop
            for (int i = 3; i < 9; i++) part[i] *= 2;
        }
        for (int i = 0; i < 12; i++) CHECK(part[i] == (i >= 3 && i < 9 ? 2 * i : i));
    }
    /* set directive */
    for (int d = 0; d < n; d++) {
        #pragma acc set device_num(d)
        CHECK(acc_get_device_num(t) == d);
        #pragma acc init device_num(d)
    }
    for (int d = 0; d < n; d++) {
        acc_set_device_num(d, t);
        #pragma acc exit data copyout(x[d:1][0:N])
        CHECK(x[d][1] == 2 + d + 1 + 100 * d + 5);
        free(x[d]);
    }
    CHECK(acc_get_property(0, t, acc_property_memory) > 0);
    acc_set_device_num(n - 1, t);
    acc_shutdown_device(n - 1, t);
    acc_set_device_num(n - 1, t);
    int w = 1;
    #pragma acc parallel copy(w)
    w = w + 1;
    CHECK(w == 2);
    puts(fails ? "wrong" : "right");
    return fails != 0;
}
