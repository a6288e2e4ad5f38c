// Where inner loops begin and end is read from memory: no two of them meet, which nothing proves or refutes.
#include "show.h"
#define N 40
#define B 16
static int first[N + 1], value[4 * N], a[N * B + 7];

static void rows(int n)
{
#pragma acc parallel loop
    for (int i = 0; i < n; i++)
        for (int k = first[i]; k < first[i + 1]; k++)
            value[k] = value[k] * 2 + i;
#pragma acc kernels
    for (int i = 0; i < n; i++) // expect: sequential: unknown-subscript a
        for (int k = i; k < first[i] - 2 * i + 1; k++) // expect: parallel
            a[k] = k + i;
#pragma acc parallel loop
    for (int i = 0; i < n; i++)
        for (int k = i; k < first[i] - 2 * i + 1; k++)
            a[k] = k + i;
#pragma acc parallel loop
    for (int k = 0; k < n * B; k += B) {
        int end = k + B < n * B - 5 ? k + B : n * B - 5;
        for (int i = k; i < end; i++)
            a[i] = a[i] + k;
    }
}

int main(void)
{
    for (int i = 0; i <= N; i++)
        first[i] = 3 * i;
    fill(value, 4 * N, 136);
    rows(N);
    show("value", value, 4 * N);
    show("a", a, N * B + 7);
}
