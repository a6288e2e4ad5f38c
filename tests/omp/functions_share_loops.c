// options: -fopenmp
// `parallel for` in functions that one thread of a team calls: all threads of the team share the loop. In loops of
// several threads, through pointers and on the host, the functions have the same results.
#include <stdio.h>

enum { ROWS = 6, N = 203 };

#pragma omp declare target
static long total;

static void scale(double *a, int n, double by)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        a[i] = a[i] * by + i;
}

static double sum(const double *a, int n)
{
    double all = 0;
#pragma omp parallel for simd reduction(+ : all)
    for (int i = 0; i < n; i++)
        all += a[i];
    return all;
}

/* A variable of the caller that several loops reduce to, and one of the function. */
static void extremes(const double *a, int n, double *least, double *most)
{
    double low = a[0], high = a[0];
#pragma omp parallel for reduction(min : low) reduction(max : high) schedule(static, 5)
    for (int i = 0; i < n; i++) {
        if (a[i] < low)
            low = a[i];
        if (a[i] > high)
            high = a[i];
    }
    *least = low;
    *most = high;
}

/* Bins of the caller, an array of the function, and values of the last iteration. */
static int histogram(const double *a, int n, int *bins, int size)
{
    int own[8] = {0}, last = -1, offset = 3;
#pragma omp parallel for reduction(+ : own[:8]) lastprivate(last) firstprivate(offset) schedule(dynamic, 3)
    for (int i = 0; i < n; i++) {
        last = ((long)a[i] + offset) % 8;
        own[last]++;
    }
#pragma omp parallel for reduction(+ : bins[:size])
    for (int i = 0; i < 8 * size; i++)
        bins[i % size] += own[i % 8];
    return last;
}

static void transpose(double (*to)[5], const double *from, int rows)
{
    double twice;
#pragma omp parallel for collapse(2) private(twice)
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < 5; j++) {
            twice = 2 * from[j * rows + i];
            to[i][j] = twice - 1;
        }
}

struct pair {
    double first, second;
};

static struct pair both(double *a, int n)
{
    struct pair pair;
    double shifted[ROWS];
    scale(a, n, 0.5);
    pair.first = sum(a, n);
#pragma omp parallel for
    for (int i = 0; i < ROWS; i++)
        shifted[i] = a[i] + 1;
    pair.second = sum(shifted, ROWS);
    return pair;
}

/* Who calls itself has one thread. */
static long deep(long *a, int n)
{
    long all = 0;
#pragma omp parallel for reduction(+ : all)
    for (int i = 0; i < n; i++)
        all += a[i] + i;
    return n > 3 ? all + deep(a, n / 2) : all;
}
#pragma omp end declare target

/* Without `declare target`. */
static void shift(double *a, int n, double by)
{
    if (by != 0)
#pragma omp parallel for if (n > 100) num_threads(40)
        for (int i = 0; i < n; i++)
            a[i] += by;
}

static void count(const double *a, int n)
{
#pragma omp parallel for reduction(+ : total)
    for (int i = 0; i < n; i++)
        total += a[i] > 50;
}

static double a[ROWS][N], sums[ROWS], low[ROWS], high[ROWS];
static int bins[ROWS][4], lasts[ROWS];
static double turned[ROWS][40][5];
static struct pair pairs[ROWS];

static void show(const char *title)
{
    printf("%s\n", title);
    for (int r = 0; r < ROWS; r++) {
        double t = 0;
        for (int i = 0; i < 40; i++)
            for (int j = 0; j < 5; j++)
                t += turned[r][i][j] * (i + j);
        printf("%g %g %g %g | %d %d %d %d %d | %g %g %g\n", a[r][7], sums[r], low[r], high[r], bins[r][0], bins[r][1], bins[r][2],
               bins[r][3], lasts[r], t, pairs[r].first, pairs[r].second);
    }
}

static void start(void)
{
    for (int r = 0; r < ROWS; r++)
        for (int i = 0; i < N; i++)
            a[r][i] = (r * 7 + i * 3) % 64;
    for (int r = 0; r < ROWS; r++)
        for (int k = 0; k < 4; k++)
            bins[r][k] = 0;
}

#pragma omp declare target
static void whole(double *a, double *sums, double *low, double *high, int *bins, int *lasts, double (*turned)[5], struct pair *pairs)
{
    scale(a, N, 2);
    *sums = sum(a, N);
    extremes(a, N, low, high);
    *lasts = histogram(a, N, bins, 4);
    transpose(turned, a, 40);
    *pairs = both(a, N);
    shift(a, N, *low + 1);
}
#pragma omp end declare target

int main(void)
{
    start();
#pragma omp target teams distribute map(tofrom : a, sums, low, high, bins, lasts, turned, pairs)
    for (int r = 0; r < ROWS; r++)
        whole(a[r], &sums[r], &low[r], &high[r], bins[r], &lasts[r], turned[r], &pairs[r]);
    show("teams distribute");
    start();
#pragma omp target map(tofrom : a, sums, low, high, bins, lasts, turned, pairs)
    for (int r = 0; r < ROWS; r++)
        whole(a[r], &sums[r], &low[r], &high[r], bins[r], &lasts[r], turned[r], &pairs[r]);
    show("target");
    start();
#pragma omp target teams distribute parallel for map(tofrom : a, sums, low, high, bins, lasts, turned, pairs)
    for (int r = 0; r < ROWS; r++)
        whole(a[r], &sums[r], &low[r], &high[r], bins[r], &lasts[r], turned[r], &pairs[r]);
    show("parallel for");
    start();
#pragma omp target teams distribute thread_limit(48) map(tofrom : a, sums, low, high, bins, lasts, turned, pairs)
    for (int r = 0; r < ROWS; r++) {
        double own[N];
        for (int i = 0; i < N; i++)
            own[i] = a[r][i];
        whole(own, &sums[r], &low[r], &high[r], bins[r], &lasts[r], turned[r], &pairs[r]);
#pragma omp parallel for
        for (int i = 0; i < N; i++)
            a[r][i] = own[i];
    }
    show("arrays of teams");
    start();
    for (int r = 0; r < ROWS; r++)
        whole(a[r], &sums[r], &low[r], &high[r], bins[r], &lasts[r], turned[r], &pairs[r]);
    show("host");

    long numbers[50], deepest = 0;
    for (int i = 0; i < 50; i++)
        numbers[i] = i * i;
#pragma omp target map(tofrom : deepest) map(to : numbers)
    deepest = deep(numbers, 50);
    printf("%ld\n", deepest);
    total = 0;
#pragma omp target update to(total)
#pragma omp target teams num_teams(1) map(tofrom : a)
    {
        for (int r = 0; r < ROWS; r++)
            if (r % 2 == 0)
                count(a[r], N);
    }
#pragma omp target update from(total)
    printf("%ld\n", total);
}
