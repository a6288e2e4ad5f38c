// The inner loop ends early; the outer one does not.
#include "show.h"
#define N 100
#define M 20
static int a[N][M], b[N][M], length[N];

int main(void)
{
    int j;
    fill(b[0], N * M, 99);
#pragma acc kernels
    for (int i = 0; i < N; i++) { // expect: parallel
        for (j = 0; j < M; j++) { // expect: sequential: exit
            if (b[i][j] % 11 == 4)
                break;
            a[i][j] = b[i][j] + 1;
        }
        length[i] = j;
    }
    show("a", a[0], N * M);
    show("length", length, N);
}
