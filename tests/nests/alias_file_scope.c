// A pointer at file scope is `restrict`, and leads into an array that the loop names, too.
#include "show.h"
#define N 100
static int room[2 * N], a[N];
static int *restrict part;

static void reads_ahead(int n)
{
#pragma acc kernels
    for (int i = 0; i < n; i++) // expect: versioned: if part room a
        part[i] = room[i + 8] + a[i];
}

static void reads_behind(int n)
{
#pragma acc kernels
    for (int i = 0; i < n; i++) // expect: versioned: if part room a
        part[i + 1] = room[i] + a[i];
}

int main(void)
{
    fill(room, 2 * N, 47);
    fill(a, N, 48);
    part = room + 4;
    reads_ahead(N - 8);
    show("room", room, 2 * N);
    part = room + 32;
    reads_behind(N - 32);
    show("room", room, 2 * N);
    part = room + N;
    reads_ahead(N - 8);
    reads_behind(N - 1);
    show("room", room, 2 * N);
}
