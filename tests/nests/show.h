// What the nests share: data without fixed points, so that a race shows, and results in which each element counts.
#include <stdio.h>

static inline void fill(int *a, int n, unsigned seed)
{
    for (int i = 0; i < n; i++) {
        seed = seed * 1664525u + 1013904223u;
        a[i] = (int)(seed >> 18) - 8192;
    }
}

static inline void show(const char *name, const int *a, int n)
{
    unsigned sum = 0;
    for (int i = 0; i < n; i++)
        sum = sum * 31u + (unsigned)a[i];
    printf("%s: %d %d %d, %u\n", name, a[0], a[n / 2], a[n - 1], sum);
}
