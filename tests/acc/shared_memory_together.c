// Shared memory of a kernel is that of its arrays and of the module's buffers: `totals` makes the buffer of reductions large, which
// `arrays` has little use for.

#include <stdio.h>

#define PARTS 1500
#define ELEMENTS 11000

static int totals(void) {
    int total[PARTS] = {0};
#pragma acc parallel num_gangs(1) num_workers(8) copy(total)
    {
        int mine[PARTS];
        for (int part = 0; part < PARTS; part++) mine[part] = 0;
#pragma acc loop worker reduction(+ : mine)
        for (int i = 0; i < 1000; i++) mine[i] += i % 3;
        for (int part = 0; part < PARTS; part++) total[part] = mine[part];
    }
    int sum = 0;
    for (int part = 0; part < PARTS; part++) sum += total[part];
    return sum;
}

static int arrays(void) {
    int sum = 0;
#pragma acc parallel num_gangs(1) num_workers(4) copy(sum)
    {
        int large[ELEMENTS];
#pragma acc loop worker
        for (int i = 0; i < ELEMENTS; i++) large[i] = i % 7;
        int part = 0;
#pragma acc loop worker reduction(+ : part)
        for (int i = 0; i < ELEMENTS; i++) part += large[i];
        sum = part;
    }
    return sum;
}

int main(void) {
    printf("%d %d\n", totals(), arrays());
    return 0;
}
