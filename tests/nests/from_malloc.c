// Blocks of `malloc` are apart.
#include "show.h"
#include <stdlib.h>
#define N 200

int main(void)
{
    int *p = malloc(N * sizeof *p), *q = malloc(N * sizeof *q);
    fill(q, N, 46);
#pragma acc kernels
    for (int i = 0; i < N; i++) // expect: versioned: if p q
        p[i] = q[i] * 3;
    show("p", p, N);
    free(p);
    free(q);
}
