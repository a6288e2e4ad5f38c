// options: -fopenmp
// `parallel` in functions whose statement is more than loops: all threads of the team execute it and meet at barriers.
#include <omp.h>
#include <stdio.h>

enum { N = 300, TEAMS = 4 };

#pragma omp declare target
/* The sum of all elements, by halves in an array that the threads have in common. */
static long tree(const int *a, int n)
{
    long part[1024];
    long result = 0;
#pragma omp parallel
    {
        int t = omp_get_thread_num(), all = omp_get_num_threads();
        long own = 0;
        for (int i = t; i < n; i += all)
            own += a[i];
        part[t] = own;
#pragma omp barrier
        for (int count = all; count > 1; count = (count + 1) / 2) {
            int half = (count + 1) / 2;
            if (t + half < count)
                part[t] += part[t + half];
#pragma omp barrier
        }
        if (t == 0)
            result = part[0];
    }
    return result;
}

static void helper(int *a, int n)
{
#pragma omp for
    for (int i = 0; i < n; i++)
        a[i]++;
#pragma omp single
    a[0] += 100;
}

static int mixed(int *a, int n, int *locked)
{
    int most = 0, first = 0, sum = 0, times = 0;
#pragma omp parallel shared(most) firstprivate(first)
    {
        int before = first++;
        helper(a, n);
#pragma omp for schedule(static, 3) reduction(+ : sum)
        for (int i = 0; i < n; i++)
            sum += a[i] + before;
#pragma omp for reduction(max : most)
        for (int i = 0; i < n; i++)
            if (a[i] > most)
                most = a[i];
#pragma omp critical
        times++;
#pragma omp sections
        {
#pragma omp section
            a[1] += 7;
#pragma omp section
            a[2] += 9;
        }
#pragma omp single
        *locked = times == omp_get_num_threads();
    }
    return most + sum;
}

static int sections(int *a)
{
#pragma omp parallel sections
    {
        a[3] = 11;
#pragma omp section
        a[4] = 12;
    }
    return a[3] + a[4];
}
#pragma omp end declare target

static int a[TEAMS][N], out[TEAMS][4];

static void show(const char *title)
{
    printf("%s\n", title);
    for (int g = 0; g < TEAMS; g++) {
        long all = 0;
        for (int i = 0; i < N; i++)
            all = (all * 31 + a[g][i]) % 1000003;
        printf("%d %d %d %d %ld\n", out[g][0], out[g][1], out[g][2], out[g][3], all);
    }
}

static void start(void)
{
    for (int g = 0; g < TEAMS; g++)
        for (int i = 0; i < N; i++)
            a[g][i] = (i * 17 + g) % 101;
}

int main(void)
{
    start();
#pragma omp target teams distribute thread_limit(160) map(tofrom : a, out)
    for (int g = 0; g < TEAMS; g++) {
        out[g][0] = tree(a[g], N);
        out[g][1] = mixed(a[g], N, &out[g][2]);
        out[g][3] = sections(a[g]);
    }
    show("teams distribute");
    start();
#pragma omp target teams distribute parallel for map(tofrom : a, out)
    for (int g = 0; g < TEAMS; g++) {
        out[g][0] = tree(a[g], N);
        out[g][1] = mixed(a[g], N, &out[g][2]);
        out[g][3] = sections(a[g]);
    }
    show("parallel for");
    start();
#pragma omp target thread_limit(100) map(tofrom : a, out)
    for (int g = 0; g < TEAMS; g++) {
        out[g][0] = tree(a[g], N);
        out[g][1] = mixed(a[g], N, &out[g][2]);
        out[g][3] = sections(a[g]);
    }
    show("target");
}
