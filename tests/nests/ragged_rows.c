// How far each row goes is data; rows lie apart.
#include "show.h"
#define N 60
#define M 20
static int a[N][M], length[N];

int main(void)
{
    for (int i = 0; i < N; i++)
        length[i] = (i * 7) % (M + 1);
#pragma acc kernels
    for (int i = 0; i < N; i++) // expect: parallel
        for (int j = 0; j < length[i]; j++) // expect: parallel
            a[i][j] = i - 3 * j;
    show("a", a[0], N * M);
}
