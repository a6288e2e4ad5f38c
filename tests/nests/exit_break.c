// A loop that ends early: what is behind the end must not be written.
#include "show.h"
#define N 200
static int a[N], b[N];

int main(void)
{
    int i;
    fill(b, N, 96);
    b[150] = 4711;
#pragma acc kernels
    for (i = 0; i < N; i++) { // expect: sequential: exit
        if (b[i] == 4711)
            break;
        a[i] = b[i] + 1;
    }
    show("a", a, N);
    printf("%d\n", i);
}
