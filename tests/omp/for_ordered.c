// options: -fopenmp
// `ordered` blocks are executed in the order of iterations under every schedule; some iterations have none.
#include <stdio.h>

enum { N = 40 };
static int order[N], length;

static void check(const char *name, int expected)
{
    int bad = 0;
    for (int i = 1; i < length; i++)
        bad += order[i] <= order[i - 1];
    printf("%s: %d of %d, out of order %d\n", name, length, expected, bad);
    length = 0;
}

int main(void)
{
#pragma omp parallel for ordered
    for (int i = 0; i < N; i++)
#pragma omp ordered
        order[length++] = i;
    check("static", N);
#pragma omp parallel for ordered schedule(static, 3)
    for (int i = 0; i < N; i++) {
#pragma omp ordered threads
        {
            order[length++] = i;
        }
    }
    check("static, 3", N);
#pragma omp parallel for ordered schedule(dynamic, 2)
    for (int i = 0; i < N; i++) {
        if (i % 5 == 0)
            continue;
        if (i % 3 != 0) {
#pragma omp ordered
            order[length++] = i;
        }
    }
    check("dynamic, 2", 21);
#pragma omp parallel for ordered schedule(guided)
    for (int i = 0; i < N; i++)
#pragma omp ordered
        order[length++] = i;
    check("guided", N);
#pragma omp parallel
    {
#pragma omp for ordered schedule(dynamic) nowait
        for (int i = 0; i < N; i += 2)
    #pragma omp ordered
        order[length++] = i;
    }
    check("nowait", N / 2);
#pragma omp parallel for ordered collapse(2) schedule(dynamic)
    for (int i = 0; i < 5; i++)
        for (int j = 0; j < 8; j++) {
#pragma omp ordered
            order[length++] = 8 * i + j;
        }
    check("collapse", N);
    return 0;
}
