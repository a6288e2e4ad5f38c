// options: -fopenmp
// `lastprivate(conditional:)`: the last assignment in the order of the iterations counts, whoever made it.
#include <stdio.h>

static int in[500], *where;
static double level;

static void orphaned(int n)
{
#pragma omp for lastprivate(conditional : where, level) schedule(dynamic, 3) nowait
    for (int i = 0; i < n; i++) {
        if (in[i] % 11 == 3)
            where = &in[i];
        if (in[i] > 5000)
            level = 0.5 * i;
    }
}

static void schedules(int n)
{
    int a = -1, b = -2, c = -3, count = 0;
#pragma omp parallel for lastprivate(conditional : a) schedule(static, 1)
    for (int i = 0; i < n; i++)
        if (in[i] % 7 == 2)
            a = i;
#pragma omp parallel for lastprivate(conditional : b, c) schedule(guided) collapse(2) reduction(+ : count)
    for (int i = 0; i < n / 10; i++)
        for (int j = 0; j < 10; j++) {
            if (in[10 * i + j] % 13 == 6)
                b = 100 * i + j;
            else
                count++;
            if (i > 1000)
                c++;
        }
    level = 1.5;
    where = in;
#pragma omp parallel
    {
        orphaned(n);
#pragma omp barrier
    }
    printf("%d: %d %d %d %d %ld %g\n", n, a, b, c, count, (long)(where - in), level);
}

static void ways_to_assign(int n)
{
    int a = 7, b = 8, c = 9, d = 10, e = 11;
#pragma omp parallel for firstprivate(a, c) lastprivate(conditional : a, b, c, d, e) schedule(static, 2) ordered
    for (int i = 0; i < n; i++) {
        if (i % 50 == 3) {
            a = 1;
            a += i;
        }
        if (i % 40 == 5)
#pragma omp critical
        {
            b = i;
            b++;
        }
#pragma omp ordered
        if (i < 20)
            c = i * i;
        if (i % 30 == 7)
            --d, d = i;
        for (e = i; e < i + 3; e++)
            ;
    }
    printf("%d %d %d %d %d\n", a, b, c, d, e);
}

static void other_constructs(int n)
{
    int a = 0, b = 0, c = 0, d = 4;
#pragma omp parallel sections lastprivate(conditional : a, b, d)
    {
#pragma omp section
        a = 1;
#pragma omp section
        {
            if (n > 3)
                a = 2;
            if (n < 3)
                d = 2;
        }
#pragma omp section
        b = 3;
    }
    printf("sections %d %d %d", a, b, d);
#pragma omp simd lastprivate(conditional : c)
    for (int i = 0; i < n; i++)
        if (in[i] % 3 == 1)
            c = i;
#pragma omp parallel for simd lastprivate(conditional : b) schedule(dynamic)
    for (int i = 0; i < n; i++)
        if (in[i] % 3 == 2)
            b = i;
    printf(", simd %d %d", b, c);
    int sum = 0, early = -1, late = -1;
#pragma omp parallel for reduction(inscan, + : sum) lastprivate(conditional : early, late)
    for (int i = 0; i < n; i++) {
        sum += in[i];
        if (in[i] % 5 == 1)
            early = i;
#pragma omp scan inclusive(sum)
        if (sum < 3000)
            late = sum;
    }
    printf(", scan %d %d %d\n", sum, early, late);
}

int main(void)
{
    for (int i = 0; i < 500; i++)
        in[i] = (i * 53 + 7) % 211;
    schedules(0);
    schedules(10);
    schedules(500);
    ways_to_assign(200);
    other_constructs(500);
}
