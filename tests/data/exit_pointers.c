// A pointer without a section on `exit data` means what it leads to; a pointer that is mapped itself, itself.
// options: --memory discrete
#include <openacc.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
  int n;
  int *items;
} list;

int main(void) {
  int n = 10, *a = malloc(n * sizeof *a);
  for (int i = 0; i < n; i++)
    a[i] = i;
#pragma acc enter data copyin(a[0 : n])
#pragma acc enter data copyin(a[0 : n])
#pragma acc parallel loop present(a)
  for (int i = 0; i < n; i++)
    a[i] *= 2;
#pragma acc exit data copyout(a)
  printf("held twice: %d, present %d\n", a[9], acc_is_present(a, 4));
#pragma acc exit data copyout(a)
  printf("held once: %d, present %d\n", a[9], acc_is_present(a, 4));

  list *l = malloc(sizeof *l);
  l->n = 5;
  l->items = malloc(l->n * sizeof *l->items);
#pragma acc enter data copyin(l[0 : 1])
#pragma acc enter data create(l->items[0 : l->n])
#pragma acc parallel loop present(l)
  for (int i = 0; i < l->n; i++)
    l->items[i] = i * i;
#pragma acc exit data copyout(l->items)
  printf("member: %d, present %d %d\n", l->items[4], acc_is_present(l->items, 4), acc_is_present(l, 4));
#pragma acc exit data delete(l)
  printf("structure: present %d\n", acc_is_present(l, 4));

#pragma acc enter data copyin(a[0 : n])
#pragma acc enter data copyin(a)
#pragma acc exit data delete(a)
  printf("the pointer itself: present %d, its target %d\n", acc_is_present(&a, 8), acc_is_present(a, 4));
#pragma acc enter data copyin(a[0 : n])
#pragma acc exit data delete(a) finalize
  printf("all lifetimes: present %d\n", acc_is_present(a, 4));

  int *nothing = NULL;
#pragma acc exit data delete(nothing)
#pragma acc exit data delete(a)
  free(l->items);
  free(l);
  free(a);
}
