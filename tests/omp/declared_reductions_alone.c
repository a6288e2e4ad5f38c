// options: -fopenmp
// Private copies start with what their declaration says, not with what the variable has, where one thread executes a
// loop, too. The larger value counts, and contributions are counted.
#include <stdio.h>

struct most {
    int value, count;
};
#pragma omp declare reduction(most : struct most : omp_out.value = \
    omp_in.value > omp_out.value ? omp_in.value : omp_out.value, omp_out.count += omp_in.count)

static void show(const char *what, struct most x)
{
    printf("%s: %d %d\n", what, x.value, x.count);
}

int main(void)
{
    const struct most start = {100, 1};
    struct most in_order = start, one_thread = start, limited = start, private = start, lanes = start;

#pragma omp target map(tofrom : in_order)
#pragma omp parallel reduction(most : in_order)
#pragma omp for ordered
    for (int i = 0; i < 50; i++) {
        in_order.value++;
#pragma omp ordered
        in_order.count++;
    }
    show("in order", in_order);

#pragma omp target map(tofrom : one_thread)
#pragma omp parallel num_threads(1) reduction(most : one_thread)
#pragma omp for
    for (int i = 0; i < 50; i++) {
        one_thread.value++;
        one_thread.count++;
    }
    show("one thread", one_thread);

#pragma omp target teams distribute parallel for num_teams(1) thread_limit(1) reduction(most : limited)
    for (int i = 0; i < 50; i++) {
        limited.value++;
        limited.count++;
    }
    show("limited", limited);

#pragma omp target map(tofrom : private, lanes)
    {
        struct most inside = start;
#pragma omp parallel for reduction(most : inside)
        for (int i = 0; i < 64; i++) {
            inside.value++;
            inside.count++;
        }
        private = inside;
        inside = start;
#pragma omp simd reduction(most : inside)
        for (int i = 0; i < 64; i++) {
            inside.value++;
            inside.count++;
        }
        lanes = inside;
    }
    show("private", private);
    show("lanes", lanes);
}
