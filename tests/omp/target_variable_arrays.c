// options: -fopenmp
// Arrays of variable length in `private`, `firstprivate` and `reduction` of `target` and of what stands in it.
#include <stdio.h>

static void whole(int n)
{
    int a[n], b[n][2], bad = 0, sum = 0;
    for (int i = 0; i < n; i++) {
        a[i] = 7 * i;
        b[i][0] = i;
        b[i][1] = -i;
    }
#pragma omp target firstprivate(a, b) map(tofrom : sum)
    for (int i = 0; i < n; i++) {
        sum += a[i] + b[i][1];
        a[i] = b[i][0] = 0;
    }
#pragma omp target private(a) map(tofrom : bad)
    {
#pragma omp parallel for
        for (int i = 0; i < n; i++)
            a[i] = 3 * i;
        for (int i = 0; i < n; i++)
            bad += a[i] != 3 * i;
    }
#pragma omp target nowait firstprivate(a) map(tofrom : sum)
    sum += a[n - 1];
#pragma omp taskwait
    printf("%d %d %d %d\n", sum, bad, a[n - 1], b[n - 1][0]);
}

// What the device has of the array is not what `firstprivate` takes.
static void mapped(int n)
{
    int a[n], sum = 0;
    for (int i = 0; i < n; i++)
        a[i] = i;
#pragma omp target data map(alloc : a)
    {
#pragma omp target firstprivate(a) map(tofrom : sum)
        for (int i = 0; i < n; i++)
            sum += a[i];
    }
    printf("%d\n", sum);
}

static void teams_and_loops(int n)
{
    int a[n], out[20] = {0}, bins[n];
    for (int i = 0; i < n; i++) {
        a[i] = i + 1;
        bins[i] = 1000 * i;
    }
#pragma omp target teams distribute parallel for firstprivate(a) map(tofrom : out)
    for (int i = 0; i < 20; i++) {
        int kept = a[i % n];
        a[i % n] += i;
        out[i] = a[i % n];
        a[i % n] = kept;
    }
#pragma omp target teams distribute parallel for private(a) map(tofrom : out)
    for (int i = 0; i < 20; i++) {
        for (int j = 0; j < n; j++)
            a[j] = i * j;
        out[i] += a[n - 1];
    }
#pragma omp target map(tofrom : out)
#pragma omp teams num_teams(2) firstprivate(a)
    {
        a[0] += 5;
#pragma omp distribute
        for (int i = 0; i < 20; i++)
            out[i] += a[0];
    }
#pragma omp target teams num_teams(2) firstprivate(a) map(tofrom : out)
    {
        a[1] += 5;
#pragma omp distribute parallel for
        for (int i = 0; i < 20; i++)
            out[i] += a[1];
    }
#pragma omp target parallel for reduction(+ : bins)
    for (int i = 0; i < 200; i++)
        bins[i % n] += i;
    for (int i = 0; i < 20; i++)
        printf(" %d", out[i]);
    for (int i = 0; i < n; i++)
        printf(" %d", bins[i]);
    printf(", %d\n", a[0]);
}

int main(void)
{
    whole(7);
    mapped(9);
    teams_and_loops(6);
}
