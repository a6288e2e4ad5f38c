// One variable runs through both loops: its place is affine if all rows are equally long.
#include "show.h"
#define N 20
#define M 15
static int a[N * M], b[N * N];

int main(void)
{
    int k = 0, l = 0;
#pragma acc kernels
    {
        for (int i = 0; i < N; i++) // expect: parallel
            for (int j = 0; j < M; j++) // expect: parallel
                a[k++] = 100 * i + j;
        for (int i = 0; i < N; i++) // expect: sequential: scalar l
            for (int j = 0; j < i; j++) // expect: parallel
                b[l++] = 100 * i + j;
    }
    show("a", a, N * M);
    show("b", b, N * N);
    printf("%d %d\n", k, l);
}
