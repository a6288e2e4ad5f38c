// Dynamic lifetimes: counters, `finalize`, routines, memory of the program's own.
// options: --memory discrete
#include <openacc.h>
#include <stdio.h>
#include <stdlib.h>

#define N 4

static void show(const char *what, const int *a) { printf("%-20s %d %d %d %d\n", what, a[0], a[1], a[2], a[3]); }

static void add(int *a, int by) {
#pragma acc parallel loop present(a[0:N])
  for (int i = 0; i < N; i++)
    a[i] += by;
}

static void counters(void) {
  int a[N] = {1, 2, 3, 4};
#pragma acc enter data copyin(a)
  void *device = acc_copyin(a, sizeof a);
  printf("the same copy %d\n", device == acc_deviceptr(a));
  add(a, 10);
#pragma acc exit data copyout(a)
  show("still there", a);
#pragma acc data copy(a)
  {
    acc_copyout(a, sizeof a);
    printf("structured %d\n", acc_is_present(a, sizeof a));
    add(a, 100);
  }
  show("gone", a);
  printf("present %d\n", acc_is_present(a, sizeof a));
  acc_copyout(a, sizeof a);
  acc_delete(a, sizeof a);
  show("absent: nothing", a);
}

static void finalize(void) {
  int a[N] = {1, 2, 3, 4};
  for (int i = 0; i < 3; i++)
    acc_create(a, sizeof a);
  acc_update_device(a, sizeof a);
  add(a, 1);
#pragma acc exit data copyout(a) finalize
  show("finalize", a);
  for (int i = 0; i < 3; i++) {
#pragma acc enter data copyin(a[0:N])
  }
  add(a, 1);
  acc_update_self(a + 1, sizeof(int));
  show("update self", a);
  acc_delete_finalize(a, sizeof a);
  printf("present %d\n", acc_is_present(a, sizeof a));
}

static void own_memory(void) {
  int a[N] = {1, 2, 3, 4}, b[N] = {0};
  int *device = acc_malloc(sizeof a);
  acc_memcpy_to_device(device, a, sizeof a);
#pragma acc parallel loop deviceptr(device)
  for (int i = 0; i < N; i++)
    device[i] *= 2;
  acc_map_data(b, device, sizeof b);
  add(b, 5);
  printf("mapped %d %d\n", acc_deviceptr(b) == device, acc_hostptr(device + 1) == b + 1);
  acc_unmap_data(b);
  acc_memcpy_from_device(b, device, sizeof b);
  show("own memory", b);
  int *other = acc_malloc(sizeof a);
  acc_memcpy_device(other, device + 2, 2 * sizeof(int));
  acc_memcpy_from_device(a, other, 2 * sizeof(int));
  show("within the device", a);
  acc_free(other);
  acc_free(device);
}

static void host_data(void) {
  int a[N] = {1, 2, 3, 4}, *p = a;
#pragma acc data copy(a)
  {
#pragma acc host_data use_device(a, p)
    {
      printf("device addresses %d %d\n", a == p, acc_hostptr(p + 1) != NULL);
      acc_memcpy_device(a, p + 2, 2 * sizeof(int));
    }
  }
  show("host_data", a);
#pragma acc host_data use_device(p) if_present
  printf("absent %d\n", p == a);
#pragma acc update self(a) if_present
#pragma acc update device(a[1:2]) if_present
}

static void queues(void) {
  int a[N] = {1, 2, 3, 4}, b[N] = {0};
#pragma acc enter data copyin(a) create(b) async(1)
#pragma acc parallel loop present(a, b) async(1)
  for (int i = 0; i < N; i++)
    b[i] = a[i] * 2;
#pragma acc parallel loop present(b) async(2) wait(1)
  for (int i = 0; i < N; i++)
    b[i]++;
#pragma acc exit data copyout(b) delete(a) async(2)
#pragma acc wait(2)
  show("queues", b);
  printf("done %d %d %d\n", acc_async_test(1), acc_async_test(77), acc_async_test_all());
  acc_set_default_async(5);
#pragma acc serial copy(a) async
  a[0] = 11;
  int list[2] = {5, 2};
  int any = acc_wait_any(2, list);
  acc_wait(5);
  acc_wait_all();
  printf("default %d, any %d, %d\n", acc_get_default_async(), any == 0 || any == 1, a[0]);
}

int main(void) {
  counters();
  finalize();
  own_memory();
  host_data();
  queues();
  return 0;
}
