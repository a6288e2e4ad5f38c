// `memset` and `memcpy` of a constant number of bytes are accesses like others.
#include "show.h"
#include <stdlib.h>
#include <string.h>
#define N 60

static void clear(int *p) { memset(p, 0, 4 * sizeof *p); }

int main(void)
{
    int *a = malloc(4 * N * sizeof *a), *b = malloc(4 * N * sizeof *b), w[8], v[8] = { 5, 6, 7, 8, 9, 10, 11, 12 };
    fill(a, 4 * N, 3);
    fill(b, 4 * N, 5);
#pragma acc kernels
    for (int i = 0; i < N; i++) { // expect: parallel: private w, private k
        memset(w, 0, sizeof w);
        for (int k = 0; k < 4; k++) // expect: parallel
            w[k + 2] = a[4 * i + k];
        b[i] = w[1] + w[2] * 2 + w[5] - w[7];
    }
    show("all", b, 4 * N);
#pragma acc kernels
    for (int i = 0; i < N; i++) { // expect: sequential: carried, distance 1
        memset(v, -1, sizeof v / 2);
        b[i] += v[1] + v[4];
        v[4] = a[i];
    }
    show("half", b, 4 * N);
#pragma acc kernels
    for (int i = 0; i < N; i++) { // expect: parallel
        int t[4];
        memcpy(t, &a[4 * i], sizeof t);
        int *same = memset(&a[4 * i], 300, 2 * sizeof(int));
        same[3] = t[0] - t[1];
        a[4 * i + 2] += t[3];
    }
    show("rows", a, 4 * N);
#pragma acc kernels
    for (int i = 1; i < N; i++) { // expect: sequential: carried, distance 1
        memcpy(&a[4 * i], &a[4 * i - 4], 3 * sizeof(int));
        a[4 * i]++;
    }
    show("before", a, 4 * N);
#pragma acc kernels copy(a[0 : 4 * N])
    for (int i = 0; i < N; i += 2) { // expect: parallel
        clear(&a[4 * i]);
        memcpy(&a[4 * i + 1], &a[4 * i + 5], 2 * sizeof(int));
    }
    show("cleared", a, 4 * N);
    free(a);
    free(b);
}
