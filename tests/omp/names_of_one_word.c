// options: -fopenmp
#include <stdio.h>
#pragma omp begin declare_target
static int seen;
#pragma omp end declare_target
int both;
#pragma omp declare_target(both)
#pragma omp declare_reduction(most : int : omp_out = omp_in > omp_out ? omp_in : omp_out) initializer(omp_priv = -1)
struct row { int n; double *at; };
#pragma omp declare_mapper(struct row r) map(r.n, r.at, r.at[0 : r.n])
static int device_twice(int x) { return 2 * x; }
#pragma omp declare_variant(device_twice) match(construct = {target})
static int twice(int x) { return x + x; }
#pragma omp begin declare_variant match(implementation = {vendor(accrue_none)})
static int thrice(int x) { return -1; }
#pragma omp end declare_variant
static int thrice(int x) { return 3 * x; }
#pragma omp declare_simd uniform(k)
static int shifted(int x, int k) { return x + k; }
int main(void) {
    double a[8];
    int most = -5;
    for (int i = 0; i < 8; i++) a[i] = i;
#pragma omp target_data map(tofrom: a) if(target_data: 1)
    {
#pragma omp target
        for (int i = 0; i < 8; i++) a[i] += twice(i);
#pragma omp target_update from(a[0 : 4]) if(target_update: 1)
        printf("%g\n", a[3]);
    }
    struct row r = {8, a};
#pragma omp target_enter_data map(to: r)
#pragma omp target
    for (int i = 0; i < r.n; i++) { r.at[i] *= 2; seen++; both += 2; }
#pragma omp target_update from(both)
#pragma omp target_exit_data map(from: a)
    printf("%g %g %d\n", a[1], a[7], both);
#pragma omp parallel for reduction(most : most)
    for (int i = 0; i < 100; i++) { int v = shifted(thrice(i), 1); most = v > most ? v : most; }
#pragma omp parallel
    {
#pragma omp cancellation_point parallel
    }
    printf("%d\n", most);
    return 0;
}
