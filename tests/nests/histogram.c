// Which element is counted is data; counting commutes.
#include "show.h"
#define N 500
#define BINS 16
static int x[N], h[BINS], w[BINS];

int main(void)
{
    for (int i = 0; i < N; i++)
        x[i] = (i * i + i / 3) % BINS;
#pragma acc kernels
    {
        for (int i = 0; i < N; i++) // expect: parallel: reduction + h
            h[x[i]]++;
        for (int i = 0; i < N; i++) // expect: parallel: reduction + w
            w[x[i]] += i % 9;
    }
    show("h", h, BINS);
    show("w", w, BINS);
}
