// Loops inside whose condition is no single test leave the loop around them parallel.
#include "show.h"
#define N 120
static int a[N], b[N], c[N], d[N], e[N], f[N];

int main(void)
{
    fill(a, N, 47);
#pragma acc kernels
    for (int i = 0; i < N; i++) { // expect: parallel
        int j = i;
        while (j > 0 && a[j] % 3 != 0) // expect: sequential: exit
            j--;
        b[i] = j;
    }
#pragma acc kernels
    for (int i = 0; i < N; i++) { // expect: parallel
        int k = 0, sum = 0;
        for (int j = i; j < N && k < 5 && a[j] != 7; j++, k++) // expect: sequential: exit
            sum += a[j] * k;
        c[i] = sum;
    }
#pragma acc kernels
    for (int i = 0; i < N; i++) { // expect: parallel
        int j = i, sum = 0;
        while (j < N - 2 || sum < 5) { // expect: sequential: exit
            sum += a[j < N ? j : 0] & 3;
            if (++j > 2 * N)
                break;
        }
        d[i] = sum;
    }
#pragma acc kernels
    for (int i = 0; i < N; i++) { // expect: parallel
        int k = i;
        for (;;) { // expect: sequential: scalar k
            if (k < 7)
                break;
            if (k & 1) {
                k = 3 * k + 1;
                if (k > 500)
                    break;
                continue;
            }
            k /= 2;
        }
        e[i] = k;
    }
#pragma acc kernels
    for (int i = 0; i < N; i++) { // expect: parallel
        int k = i;
        while (!(k < 20) ? k & 1 : k > 3) // expect: sequential: exit
            k--;
        while (0)
            k = 99;
        f[i] = k;
    }
    int first = 0, sum = 0;
#pragma acc kernels
    while (first < N && a[first] != 11) { // expect: sequential: exit
        sum += a[first];
        first++;
    }
    show("b", b, N);
    show("c", c, N);
    show("d", d, N);
    show("e", e, N);
    show("f", f, N);
    printf("%d %d\n", first, sum);
}
