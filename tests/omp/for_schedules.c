// options: -fopenmp
// Each schedule executes each iteration once, whatever the chunk and the number of threads.
#include <omp.h>
#include <stdio.h>

enum { MOST = 1003 };
static int times[MOST];

static int wrong(int n)
{
    int bad = 0;
    for (int i = 0; i < MOST; i++) {
        bad += times[i] != (i < n);
        times[i] = 0;
    }
    return bad;
}

#define LOOP(clause)                             \
    _Pragma(clause) for (int i = 0; i < n; i++)  \
    {                                            \
        _Pragma("omp atomic") times[i]++;        \
    }                                            \
    bad += wrong(n)

int main(void)
{
    int bad = 0;
    const int sizes[] = { 0, 1, 2, 7, 64, 100, MOST };
    for (int s = 0; s < 7; s++) {
        int n = sizes[s];
        LOOP("omp parallel for");
        LOOP("omp parallel for schedule(static)");
        LOOP("omp parallel for schedule(static, 1)");
        LOOP("omp parallel for schedule(static, 5)");
        LOOP("omp parallel for schedule(static, 2000)");
        LOOP("omp parallel for schedule(dynamic)");
        LOOP("omp parallel for schedule(dynamic, 7)");
        LOOP("omp parallel for schedule(guided)");
        LOOP("omp parallel for schedule(guided, 3)");
        LOOP("omp parallel for schedule(auto)");
        LOOP("omp parallel for schedule(runtime)");
        LOOP("omp parallel for schedule(monotonic : dynamic, 2)");
        LOOP("omp parallel for schedule(nonmonotonic : guided, 2)");
        LOOP("omp parallel for schedule(simd : static, 4)");
        LOOP("omp parallel for num_threads(5) schedule(static, n / 3 + 1)");
        omp_set_schedule(omp_sched_dynamic, 3);
        LOOP("omp parallel for schedule(runtime)");
        omp_set_schedule(omp_sched_static, 0);
    }
    printf("wrong %d\n", bad);

    // Which thread executes what is fixed for `static`.
    int owners[12];
#pragma omp parallel for num_threads(4) schedule(static)
    for (int i = 0; i < 12; i++)
        owners[i] = omp_get_thread_num();
    for (int i = 0; i < 12; i++)
        printf(" %d", owners[i]);
#pragma omp parallel for num_threads(3) schedule(static, 2)
    for (int i = 0; i < 12; i++)
        owners[i] = omp_get_thread_num();
    printf(" |");
    for (int i = 0; i < 12; i++)
        printf(" %d", owners[i]);
    puts("");
    return 0;
}
