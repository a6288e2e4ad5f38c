// Pointers of the host in structs on the device: regions may move and compare them, and the host gets them back as they were.
// Pointers to data on the device, from the device or attached, lead there.
#include <openacc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct person {
  int age;
  const char *name;
  struct person *best;
};

enum { N = 4 };

static int larger(int x) { return x + 1; }

struct work {
  int (*step)(int);
  int *counts, *missing;
  char text[3];
};

/* A device sorts by age; names and friends come along. */
static void sorted(void) {
  struct person people[N] = {{41, "Ada", &people[3]}, {7, "Bo", 0}, {23, "Cy", &people[0]}, {11, "Di", &people[1]}};
  struct person *ada = &people[0];
  int friends = 0;
#pragma acc parallel num_gangs(1) copy(people) copy(friends) firstprivate(ada)
  for (int i = 0; i < N; i++)
    for (int k = 0; k + 1 < N; k++) {
      friends += people[k].best == ada;
      if (people[k].age > people[k + 1].age) {
        struct person other = people[k];
        people[k] = people[k + 1];
        people[k + 1] = other;
      }
    }
  for (int i = 0; i < N; i++)
    printf("%s %d %d\n", people[i].name, people[i].age, people[i].best ? (int)(people[i].best - people) : -1);
  printf("friends %d\n", friends);
}

/* Attached pointers, those that the program got from the device, and updates of parts. */
static void mixed(void) {
  struct work work = {larger, malloc(N * sizeof(int)), 0, "ab"};
  int *own = acc_malloc(N * sizeof(int)), total = 0, before = 3;
  for (int i = 0; i < N; i++)
    work.counts[i] = i;
  work.missing = &before;
#pragma acc enter data copyin(work) copyin(work.counts[0 : N])
#pragma acc parallel num_gangs(1) present(work) deviceptr(own) copy(total)
  for (int i = 0; i < N; i++) {
    own[i] = work.counts[i] * 10;
    total += own[i];
    work.text[1] = 'x';
  }
#pragma acc update self(work)
  printf("total %d, %s, counts %d, missing %d, step %d\n", total, work.text, work.counts[2], *work.missing,
         work.step(4));
#pragma acc exit data delete (work.counts[0 : N]) delete (work)
  free(work.counts);
  acc_free(own);
}

int main(void) {
  sorted();
  mixed();
  return 0;
}
