// A sparse matrix by rows: bounds are data.
#include "show.h"
#define N 60
#define MOST (N * 5)
static int first[N + 1], column[MOST], value[MOST], x[N], y[N], z[N];

int main(void)
{
    for (int i = 0; i < N; i++) {
        first[i + 1] = first[i] + i % 5;
        for (int k = first[i]; k < first[i + 1]; k++) {
            column[k] = (i * 7 + k * 3) % N;
            value[k] = i - k;
        }
    }
    fill(x, N, 103);
#pragma acc kernels
    {
        for (int i = 0; i < N; i++) { // expect: parallel
            int s = 0;
            for (int k = first[i]; k < first[i + 1]; k++) // expect: parallel: reduction + s
                s += value[k] * x[column[k]];
            y[i] = s;
        }
        for (int i = 0; i < N; i++) // expect: parallel: reduction + z
            for (int k = first[i]; k < first[i + 1]; k++) // expect: parallel: reduction + z
                z[column[k]] += value[k] * x[i];
        for (int i = 0; i < N; i++) // expect: sequential: unknown-subscript value
            for (int k = first[i]; k < first[i + 1]; k++) // expect: parallel
                value[k] = value[k] * 2 + i;
    }
    show("y", y, N);
    show("z", z, N);
    show("value", value, MOST);
}
