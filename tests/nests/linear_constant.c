// Two counters in one subscript, by a constant length of rows; rows that are one too long meet the next.
#include "show.h"
#define N 30
#define M 32
static int a[N * M + 1];

int main(void)
{
    fill(a, N * M + 1, 34);
#pragma acc kernels
    {
        for (int i = 0; i < N; i++) // expect: parallel
            for (int j = 0; j < M; j++) // expect: parallel
                a[i * M + j] += i - j;
        for (int i = 0; i < N; i++) // expect: sequential: carried a, distance 1
            for (int j = 0; j <= M; j++) // expect: parallel
                a[i * M + j] = i + j;
        for (int i = 1; i < N; i++) // expect: sequential: carried a, distance 1
            for (int j = 0; j < M; j++) // expect: parallel
                a[i * M + j] += a[(i - 1) * M + j];
    }
    show("a", a, N * M + 1);
}
