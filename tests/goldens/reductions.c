// Executes the golden cases of reductions.
// also: --gangs 3
#include <complex.h>
#include <stdio.h>

#include "../../golden/cases/reductions/array.c"
#define main assigned
#include "../../golden/cases/reductions/assigned.c"
#undef main
#include "../../golden/cases/reductions/complex_product.c"
#define sum gang_copy
#include "../../golden/cases/reductions/gang_copy.c"
#undef sum
#define f inhibited
#include "../../golden/cases/reductions/inhibited.c"
#undef f
#include "../../golden/cases/reductions/max_conditional.c"
#define total nested
#include "../../golden/cases/reductions/nested.c"
#undef total
#define count parallel
#include "../../golden/cases/reductions/parallel.c"
#undef count
#define count parallel_inner_gang
#include "../../golden/cases/reductions/parallel_inner_gang.c"
#undef count
#define sum worker_copy
#include "../../golden/cases/reductions/worker_copy.c"
#undef sum
#define sums worker_private
#include "../../golden/cases/reductions/worker_private.c"
#undef sums
#define sums worker_vector
#include "../../golden/cases/reductions/worker_vector.c"
#undef sums

#include "../../golden/cases/multicore/ways.c"

static void in_every_way(int n)
{
    double x[n + 1], sum;
    unsigned char any;
    int bins[3] = {1, 2, 3};
    for (int i = 0; i <= n; i++)
        x[i] = i % 5 * 0.5;
    ways(n, x, &sum, &any, bins);
    printf("%g %d %d %d %d\n", sum, any, bins[0], bins[1], bins[2]);
}

static void of_arrays(int n)
{
    unsigned char bytes[n + 1];
    double _Complex factors[n + 1];
    float values[n + 1];
    double halves[n + 1];
    int bins[4], products[n + 1];
    for (int i = 0; i < n + 1; i++) {
        bytes[i] = i * 7;
        factors[i] = i % 50 == 3 ? 1 + I : i % 3 ? 1 : I;
        values[i] = i * 37 % 101 - 50;
    }
    histogram(n, bytes, bins);
    double _Complex p = product(n, factors);
    printf("n = %d: %d %d %d %d, %g %g, %g\n", n, bins[0], bins[1], bins[2], bins[3], creal(p), cimag(p),
           largest(n, values));
    worker_private(n, products);
    worker_vector(n, halves);
    for (int i = 0; i < n; i += 7)
        printf(" %d %g", products[i], halves[i]);
    printf("\n");
}

int main(void)
{
    int sizes[] = {0, 1, 31, 32, 33, 70};
    for (int i = 0; i < 6; i++) {
        int n = sizes[i];
        of_arrays(n);
        in_every_way(n);
        int gangs = parallel_inner_gang(n) - 100 - n * (n - 1) / 2;
        printf("%d %d %d %ld, each gang twice: %d\n", gang_copy(n), worker_copy(n), inhibited(n), nested(n),
               gangs > 0 && gangs % 2 == 0);
    }
    assigned();
    int gangs = parallel() - 100;
    printf("at most 3 gangs: %d\n", gangs > 0 && gangs <= 3);
    return 0;
}
