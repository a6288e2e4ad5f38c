// `declare target` in its spellings, functions without it, and `requires`.
// options: -fopenmp
#include <omp.h>
#include <stdio.h>

#pragma omp requires atomic_default_mem_order(relaxed) dynamic_allocators, unified_address

int listed = 1, entered = 2, linked[4] = { 1, 2, 3, 4 };
static int target_of_address = 6;
static int *address = &target_of_address;
#pragma omp declare target(listed)
#pragma omp declare target enter(entered, address) link(linked) device_type(any)

#pragma omp begin declare target device_type(any)
static int within = 3;
static int calls(void) {
    static int times;
    return ++times + within;
}
static int orphaned(int n) {
    int sum = 0;
#pragma omp parallel for reduction(+ : sum) num_threads(4)
    for (int i = 0; i < n; i++) sum += i;
    return sum;
}
#pragma omp end declare target

#pragma omp declare target
extern int later;
int uses_later(void);
#pragma omp end declare target

int later = 7;
int uses_later(void) { return later; }

static int plain(int x) { return 2 * x; }

static int counted(void) {
    static int times;
#pragma omp declare target to(times)
    return ++times;
}

int main(void) {
    int out[10] = { 0 };
#pragma omp target map(from : out) map(to : linked)
    {
        out[0] = listed + entered;
        out[1] = calls() + calls();
        out[2] = orphaned(100);
        out[3] = uses_later();
        out[4] = plain(21);
        out[5] = counted() + counted();
        out[6] = linked[2];
        out[7] = *address;
        listed = 40;
    }
    for (int i = 0; i < 8; i++) printf("%d ", out[i]);
    within = 10;
    entered = 20;
#pragma omp target update to(within, entered)
#pragma omp target update from(listed)
#pragma omp target map(from : out)
    out[0] = within + entered + listed;
    printf("%d %d\n", out[0], listed);
    printf("%d\n", orphaned(10));
    return 0;
}
