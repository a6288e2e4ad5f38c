// A loop with a directive counts with its own counter; another scalar that goes up with it is computed from it.
#include "show.h"
#define N 100
static int a[N];

int main(void)
{
    int value = 2;
#pragma acc kernels
    {
#pragma acc loop
        for (int i = 0; i < N; i++) { // expect: parallel
            a[i] = 3 * value;
            value += 5;
        }
    }
    show("values", a, N);
    printf("%d\n", value);
    int k = 7;
#pragma acc kernels
    {
#pragma acc loop collapse(2)
        for (int i = 0; i < 10; i++) // expect: sequential: scalar k
            for (int j = 0; j < 10; j++) {
                a[10 * i + j] = k;
                k++;
            }
    }
    show("in both", a, N);
    printf("%d\n", k);
    return 0;
}
