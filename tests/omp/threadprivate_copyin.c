// options: -fopenmp
// `threadprivate` variables keep their values between regions; `copyin` gives the primary thread's to all.
#include <omp.h>
#include <stdio.h>

static int counter = 5;
static double table[3] = { 1, 2, 3 };
static struct { int a, b; } pair = { 7, 8 };
#pragma omp threadprivate(counter, table, pair)

// The definition comes after the directive, as behind a header.
extern int defined_later;
#pragma omp threadprivate(defined_later)
int defined_later = 4;

static int next(void)
{
    static int calls;
#pragma omp threadprivate(calls)
    return ++calls;
}

int main(void)
{
    int wrong = 0;
    omp_set_dynamic(0);
#pragma omp parallel num_threads(4) reduction(+ : wrong)
    {
        int me = omp_get_thread_num();
        wrong += counter != 5;
        counter += me;
        defined_later += me;
        for (int i = 0; i <= me; i++)
            next();
    }
#pragma omp parallel num_threads(4) reduction(+ : wrong)
    {
        int me = omp_get_thread_num();
        wrong += counter != 5 + me;
        wrong += defined_later != 4 + me;
        wrong += next() != me + 2;
    }
    printf("kept: wrong %d, primary %d\n", wrong, counter);

    counter = 50, table[1] = 20, pair.b = 80;
    int sum = 0;
    double of_tables = 0;
#pragma omp parallel num_threads(4) copyin(counter, table, pair) reduction(+ : sum, of_tables)
    {
        sum += counter + pair.a + pair.b;
        of_tables += table[0] + table[1] + table[2];
        counter = omp_get_thread_num();
    }
    printf("copyin: %d %g, primary %d\n", sum, of_tables, counter);

    int seen = 0;
#pragma omp parallel num_threads(4) reduction(+ : seen)
#pragma omp for schedule(static, 1)
    for (int i = 0; i < 4; i++)
        seen += counter;
    printf("threads hold %d together\n", seen);
    return 0;
}
