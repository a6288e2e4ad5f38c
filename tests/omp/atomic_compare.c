// options: -fopenmp
// `atomic compare` in all forms: equality, minimum and maximum, with what it finds and whether it held.
#include <stdio.h>
#include <string.h>

static int evaluated;

static int *place(int *p)
{
    evaluated++;
    return p;
}

static void forms(void)
{
    int x = 5, v = -1, r = -1, e = 7;
#pragma omp atomic compare
    if (x == 5) { x = e; }
#pragma omp atomic compare
    x = x == 5 ? 1 : x;
    printf("%d\n", x);
#pragma omp atomic compare capture
    { v = x; if (x == 7) { x = 8; } }
    printf("%d %d\n", x, v);
#pragma omp atomic capture compare
    { if (x == 7) { x = 9; } v = x; }
    printf("%d %d\n", x, v);
#pragma omp atomic update, compare, capture seq_cst
    v = x = x == 8 ? e + 3 : x;
    printf("%d %d\n", x, v);
    v = -1;
#pragma omp atomic compare capture acq_rel fail(acquire)
    if (x == 10) { x = 11; } else { v = x; }
    printf("%d %d\n", x, v);
#pragma omp atomic compare capture weak
    if (x == 10) { x = 12; } else { v = x; }
    printf("%d %d\n", x, v);
#pragma omp atomic compare capture fail(relaxed) release
    { r = x == 11; if (r) { x = 13; } }
    printf("%d %d\n", x, r);
    v = -1;
#pragma omp atomic compare capture hint(0)
    { r = x == 11; if (r) { x = 14; } else { v = x; } }
    printf("%d %d %d\n", x, r, v);

#pragma omp atomic compare
    if (x > e) { x = e; }
#pragma omp atomic compare
    x = e < x ? e : x;
    printf("%d\n", x);
#pragma omp atomic compare relaxed
    x = x < 20 ? 20 : x;
#pragma omp atomic compare
    if (19 > x) { x = 19; }
    printf("%d\n", x);
#pragma omp atomic compare capture
    { v = x; x = x > 3 ? 3 : x; }
    printf("%d %d\n", x, v);
#pragma omp atomic compare capture
    { if (x < 6) { x = 6; } v = x; }
    printf("%d %d\n", x, v);

    // Only where the condition does not hold is the captured variable looked for.
#pragma omp atomic compare capture
    if (x == 6) { x = 16; } else { *place(&v) = x; }
    printf("%d %d %d\n", x, v, evaluated);
#pragma omp atomic compare capture
    if (x == 6) { x = 17; } else { *place(&v) = x; }
    printf("%d %d %d\n", x, v, evaluated);
}

static void types(void)
{
    // The comparison is done in the type that C says: -32 is a large unsigned number.
    int x = -32, r = 0;
#pragma omp atomic compare
    x = 12U < x ? 12U : x;
    printf("%d\n", x);
    signed char small = 44;
#pragma omp atomic compare capture
    { r = small == 300; if (r) { small = 1; } }
    printf("%d %d\n", small, r);
#pragma omp atomic compare
    if (small > 20) { small = 20; }
    long long wide = 1LL << 40;
#pragma omp atomic compare
    if (wide > 1LL << 33) { wide = 1LL << 33; }
    unsigned short narrow = 65000;
#pragma omp atomic compare
    if (narrow < 65535) { narrow = 65535; }
    printf("%d %lld %u\n", small, wide, narrow);

    float f = 0.5f;
    double d = 2.5, zero = 0.0, minus = -0.0;
    long double ld = 4;
#pragma omp atomic compare
    if (f < 0.75) { f = 0.75; }
#pragma omp atomic compare
    d = d > 1.25f ? 1.25f : d;
#pragma omp atomic compare
    if (ld == 4) { ld = 6; }
    printf("%g %g %Lg\n", f, d, ld);
    // Equality is that of the bits.
#pragma omp atomic compare
    if (zero == minus) { zero = 1; }
#pragma omp atomic compare
    if (minus == -0.0) { minus = 2; }
    printf("%g %g\n", zero, minus);

    int array[4] = { 0 };
    int *p = array;
#pragma omp atomic compare capture
    { r = p == array; if (r) { p = array + 2; } }
    printf("%d %d\n", r, (int)(p - array));
}

int main(void)
{
    forms();
    types();

    enum { N = 4000 };
    static int values[N];
    unsigned state = 1;
    int low = 1 << 30, high = -1, plain_low = low, plain_high = high;
    double least = 1e9, plain_least = least;
    for (int i = 0; i < N; i++) {
        state = state * 1664525u + 1013904223u;
        values[i] = (int)(state >> 8);
        plain_low = values[i] < plain_low ? values[i] : plain_low;
        plain_high = values[i] > plain_high ? values[i] : plain_high;
        plain_least = values[i] / 3.0 < plain_least ? values[i] / 3.0 : plain_least;
    }
    int owners = 0, owner = -1, chain = 0;
#pragma omp parallel for schedule(dynamic, 7)
    for (int i = 0; i < N; i++) {
        double third = values[i] / 3.0;
        int mine, seen;
#pragma omp atomic compare
        if (low > values[i]) { low = values[i]; }
#pragma omp atomic compare
        high = high < values[i] ? values[i] : high;
#pragma omp atomic compare
        if (third < least) { least = third; }
        // One iteration of all becomes the owner.
#pragma omp atomic compare capture
        { mine = owner == -1; if (mine) { owner = i; } }
        if (mine) {
#pragma omp atomic
            owners++;
        }
        // An addition by hand.
        seen = 0;
        do {
            int next = seen + 1, found = seen;
#pragma omp atomic compare capture
            { mine = chain == seen; if (mine) { chain = next; } else { found = chain; } }
            seen = found;
        } while (!mine);
    }
    printf("%d %d %d\n", low == plain_low, high == plain_high, least == plain_least);
    printf("%d %d %d\n", owners, owner >= 0, chain);

    int nearest = 1 << 30, largest = 0, winners = 0, flag = 0;
#pragma omp target teams distribute parallel for map(tofrom: nearest, largest, winners, flag)
    for (int i = 0; i < N; i++) {
        int won, value = values[i] % 1000 + 5;
#pragma omp atomic compare
        if (nearest > value) { nearest = value; }
#pragma omp atomic compare
        largest = largest < value ? value : largest;
#pragma omp atomic compare capture
        { won = flag == 0; if (won) { flag = value; } }
        if (won) {
#pragma omp atomic update
            winners += 1;
        }
    }
    printf("%d %d %d %d\n", nearest, largest, winners, flag > 0);
    return 0;
}
