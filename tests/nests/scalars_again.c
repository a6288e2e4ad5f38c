// A scalar that one construct reduces is as good as new in the next one.
#include "show.h"
#define N 200
static int a[N], b[N];

int main(void)
{
    fill(a, N, 12);
    fill(b, N, 13);
    int s = 0, most = -100000;
#pragma acc kernels
    for (int i = 0; i < N; i++) // expect: parallel: reduction + s, reduction max most
    {
        s += a[i];
        most = a[i] > most ? a[i] : most;
    }
    printf("%d %d\n", s, most);
    most = -100000;
#pragma acc kernels
    for (int i = 0; i < N; i++) // expect: parallel: reduction max most
        if (b[i] & 1)
            if (a[i] > most)
                most = a[i];
    printf("%d\n", most);
    s = 3;
#pragma acc kernels
    for (int i = 0; i < N; i++) { // expect: parallel: private s
        s = a[i] * 2;
        b[i] += s;
    }
    s = 1;
#pragma acc kernels
    for (int i = 0; i < N; i++) // expect: sequential: scalar s
        s = s * 3 + a[i];
    show("b", b, N);
    printf("%d\n", s);
}
