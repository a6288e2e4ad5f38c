// A histogram that is read, too, while it grows.
#include "show.h"
#define N 300
#define BINS 16
static int x[N], h[BINS], rank[N];

int main(void)
{
    for (int i = 0; i < N; i++)
        x[i] = (i * i + i / 3) % BINS;
#pragma acc kernels
    for (int i = 0; i < N; i++) // expect: sequential: unknown-subscript h
        rank[i] = h[x[i]]++;
    show("h", h, BINS);
    show("rank", rank, N);
}
