// Split and combined constructs of OpenMP share their loops alike.
// options: -fopenmp
// also: --gangs 3
#include <omp.h>
#include <stdio.h>

#define N 1000

static int a[N];

static void show(const char *what) {
    long sum = 0;
    for (int i = 0; i < N; i++) sum += (long)a[i] * (i % 7 + 1);
    printf("%s: %ld\n", what, sum);
}

static void whole_loops(void) {
#pragma omp target teams loop map(from : a)
    for (int i = 0; i < N; i++) a[i] = i;
    show("teams loop");
#pragma omp target teams map(tofrom : a)
#pragma omp distribute parallel for dist_schedule(static) schedule(static, 4)
    for (int i = 0; i < N; i++) a[i] *= 2;
    show("distribute parallel for inside");
#pragma omp target map(tofrom : a)
#pragma omp teams distribute parallel for
    for (int i = 0; i < N; i++) a[i] += 1;
    show("teams inside");
#pragma omp target map(tofrom : a)
    {
#pragma omp parallel for
        for (int i = 0; i < N; i++) a[i] += 1;
    }
    show("parallel for inside");
#pragma omp target parallel for num_threads(40)
    for (int i = 0; i < N; i++) a[i] += 1;
    show("parallel for");
#pragma omp target simd simdlen(8)
    for (int i = 0; i < N; i++) a[i] += 2;
    show("simd");
#pragma omp target parallel loop order(concurrent)
    for (int i = 0; i < N; i++) a[i] += 2;
    show("parallel loop");
#pragma omp target
#pragma omp loop bind(thread)
    for (int i = 0; i < N; i++) a[i] -= 1;
    show("loop");
#pragma omp target parallel
    {
#pragma omp for nowait
        for (int i = 0; i < N; i++) a[i] += 3;
#pragma omp barrier
#pragma omp single
        a[0]++;
#pragma omp for simd
        for (int i = 0; i < N; i++) a[i] += a[i] % 3;
    }
    show("parallel of loops");
}

static void inner_loops(void) {
#pragma omp target teams distribute num_teams(4)
    for (int k = 0; k < 10; k++) {
        int s = 0;
#pragma omp parallel for reduction(+ : s)
        for (int i = 0; i < 100; i++) s += a[k * 100 + i];
        a[k * 100] = s;
    }
    show("distribute, parallel for");
#pragma omp target teams distribute parallel for thread_limit(64)
    for (int k = 0; k < 10; k++) {
        int s = 0;
#pragma omp simd reduction(+ : s)
        for (int i = 0; i < 100; i++) s += a[k * 100 + i];
        a[k * 100 + 1] = s % 1000;
    }
    show("distribute parallel for, simd");
#pragma omp target teams loop
    for (int k = 0; k < 10; k++) {
#pragma omp loop
        for (int i = 0; i < 100; i++) a[k * 100 + i] ^= k;
    }
    show("loop, loop");
#pragma omp target teams distribute parallel for collapse(2)
    for (int k = 0; k < 10; k++)
        for (int i = 0; i < 100; i++) a[k * 100 + i] += i - k;
    show("collapse");
#pragma omp target parallel for
    for (int k = 0; k < 10; k++) {
#pragma omp parallel for
        for (int i = 0; i < 100; i++) a[k * 100 + i] += 1;
    }
    show("parallel for in parallel for");
}

static void reductions(void) {
    int s = 0, t = 5, u = 1, v = 2;
#pragma omp target map(tofrom : s)
#pragma omp teams distribute parallel for reduction(+ : s)
    for (int i = 0; i < N; i++) s += a[i];
    // Without a clause of `target` the result stays there.
#pragma omp target
#pragma omp teams distribute parallel for reduction(+ : t)
    for (int i = 0; i < N; i++) t += a[i];
#pragma omp target teams distribute parallel for reduction(+ : u)
    for (int i = 0; i < N; i++) u += a[i];
#pragma omp target teams reduction(+ : v)
#pragma omp distribute parallel for reduction(+ : v)
    for (int i = 0; i < N; i++) v += a[i];
    printf("%d %d %d %d\n", s, t, u, v);
}

static void last_values(void) {
    int last = 0, after, linear = 3;
#pragma omp target teams distribute parallel for lastprivate(last)
    for (int i = 0; i < N; i++) last = a[i];
    printf("%d\n", last - a[N - 1]);
#pragma omp target parallel for simd linear(linear : 2) lastprivate(after)
    for (after = 0; after < N; after += 3) {
        a[after] += linear;
        linear += 2;
    }
    printf("%d %d\n", linear, after);
    int i = 7, seen = 0;
#pragma omp target map(tofrom : seen) map(to : i)
    {
#pragma omp simd
        for (i = 0; i < 10; i++) a[i] += 1;
        seen = i;
    }
    printf("%d\n", seen);
    int first = 10, of[3] = { 1, 2, 3 };
#pragma omp target teams distribute parallel for firstprivate(first)
    for (int k = 0; k < N; k++) a[k] += first;
#pragma omp target map(to : of)
#pragma omp parallel for firstprivate(of)
    for (int k = 0; k < N; k++) {
        of[2] = k;
        a[k] += of[1] + of[2] - k;
    }
    int own = 5;
#pragma omp target teams distribute parallel for firstprivate(own, of) map(tofrom : a)
    for (int k = 0; k < N; k++) {
        own = k % 5 + of[2];
        of[0] = own * 2;
        a[k] += own + of[0];
    }
#pragma omp target parallel firstprivate(own) reduction(+ : last)
    {
#pragma omp for
        for (int k = 0; k < N; k++) {
            own = k;
            last += own;
        }
    }
    printf("%d %d\n", own, last - a[N - 1]);
    show("last values");
}

static void safe_lengths(void) {
    int near[64], wanted[64];
    for (int i = 0; i < 64; i++) near[i] = wanted[i] = i;
    for (int i = 8; i < 64; i++) wanted[i] = wanted[i - 8] * 2 + 1;
#pragma omp target simd safelen(8) map(tofrom : near)
    for (int i = 8; i < 64; i++) near[i] = near[i - 8] * 2 + 1;
    int wrong = 0;
    for (int i = 0; i < 64; i++) wrong += near[i] != wanted[i];
    for (int i = 63; i >= 2; i--) wanted[i] = wanted[i - 2] + 1;
#pragma omp target map(tofrom : near)
#pragma omp simd safelen(1)
    for (int i = 63; i >= 2; i--) near[i] = near[i - 2] + 1;
    for (int i = 0; i < 64; i++) wrong += near[i] != wanted[i];
    printf("wrong: %d\n", wrong);
}

static void threads(void) {
    int count = 0, inside = 0, outside = 0, seen[N];
#pragma omp target parallel for map(tofrom : count)
    for (int i = 0; i < 100; i++) {
#pragma omp critical
        count += i;
    }
#pragma omp target map(from : inside, outside, seen)
    {
        outside = omp_get_thread_num() * 10 + omp_get_num_threads();
#pragma omp parallel for
        for (int i = 0; i < N; i++) seen[i] = omp_get_thread_num() < omp_get_num_threads();
#pragma omp parallel num_threads(7)
        {
            if (omp_get_thread_num() == 0) inside = omp_get_num_threads() <= 7;
        }
    }
    int all = 0;
    for (int i = 0; i < N; i++) all += seen[i];
    printf("%d %d %d %d\n", count, outside, inside, all);
    int teams = 0, of[3] = { 0 };
#pragma omp target teams num_teams(3) map(tofrom : teams, of)
    {
        of[omp_get_team_num()] = 1;
        if (omp_get_team_num() == 0) teams = omp_get_num_teams();
    }
    printf("%d\n", of[0] + of[1] + of[2] - teams);
}

int main(void) {
    whole_loops();
    inner_loops();
    reductions();
    last_values();
    safe_lengths();
    threads();
    return 0;
}
