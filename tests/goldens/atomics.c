// Executes the golden cases of atomics. With one iteration every result is known; with many, those that do not depend on the
// order of the iterations.
// also: --gangs 3
#include <stdio.h>

#include "../../golden/cases/atomics/capture.c"
#include "../../golden/cases/atomics/read_write.c"
#include "../../golden/cases/atomics/shared.c"
#include "../../golden/cases/atomics/types.c"
#include "../../golden/cases/atomics/unknown_space.c"
#include "../../golden/cases/atomics/update.c"
#include "../../golden/cases/ptx/atomics.c"

static void captures(int n)
{
    int i[8] = {7, 6, 5, 4, 3, 2, 1, 0}, out[n];
    double d[4] = {1.5, 1};
    short s[4] = {-3, 9};
    long l[4] = {1000};
    capture(n, i, d, s, l, out);
    printf("capture %d: %d %d %d %d, %g, %ld\n", n, i[0], i[1], i[4], i[5], n == 1 ? d[1] : d[1] / 1024, l[0]);
    if (n == 1)
        printf("capture: %d %d, %g, %d %d, %d\n", i[2], i[3], d[0], s[0], s[1], out[0]);
}

static void updates(int n)
{
    int i[16] = {5, 50, 3, 300, 40, 7, 900, 3, -1, 6, 77, 1, 1 << 30, 2, 14, 15};
    // With more iterations it divides by zero.
    update(1, i);
    printf("update:");
    for (int k = 0; k < 16; k++)
        printf(" %d", i[k]);
    printf("\n");

    struct cells p[2] = {{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, {0, 3, 0, 0, 5, 0, 7, 9, 0, 2, 1 << 20}};
    types(n, p);
    printf("types %d: %d %d %d %d %d %d %u %ld %lu %g %g\n", n, p[0].b, p[0].c, p[0].uc, p[0].s, p[0].us, p[0].i,
           p[0].u, p[0].l, p[0].ul, p[0].f, p[0].d);
    printf("types %d: %d %d %u %ld %g\n", n, p[1].c, p[1].us, p[1].u, p[1].l, p[1].f);

    int all[4] = {1, 2};
    unsigned char c[4] = {250};
    double d[4] = {3, 4, 16};
    long l[4] = {-1, -2, -3};
    forms(n, all, c, d, l);
    printf("forms %d: %d %d, %d, %g %g\n", n, all[0], all[1], c[0], d[0], n == 1 ? d[1] : d[1] - 3 * n);
    if (n == 1)
        printf("forms: %ld %ld %ld, %g\n", l[0], l[1], l[2], d[2]);
}

int main(void)
{
    captures(1);
    captures(10);
    updates(1);
    updates(20);

    char c[2] = {-5};
    short s[2] = {-500};
    int i[2] = {-50000};
    long l[2] = {-5000000000};
    float f[2] = {0.5f};
    double d[2] = {0.25};
    read_write(100, c, s, i, l, f, d);
    printf("read, write: %d %d %d %ld %g %g\n", c[1], s[1], i[1], l[1], f[1], d[1]);

    int out[4], count = 100;
    shared(75, out);
    printf("shared: %d %d %d %d\n", out[0], out[1], out[2], out[3]);
    float product[20];
    for (int k = 0; k < 20; k++)
        product[k] = k * 0.5f;
    both(20, &count, product);
    printf("unknown space: %d", count);
    for (int k = 0; k < 20; k++)
        printf(" %g", product[k]);
    printf("\n");
    return 0;
}
