// Each iteration has a loop of its own that nobody can count.
#include "show.h"
#define N 100
static int a[N], b[N];

int main(void)
{
    for (int i = 0; i < N; i++)
        b[i] = 3 * i + 1;
#pragma acc kernels
    for (int i = 0; i < N; i++) { // expect: parallel
        int x = b[i], steps = 0;
        while (x > 1) { // expect: sequential: scalar x
            x = x % 2 ? 3 * x + 1 : x / 2;
            steps++;
        }
        a[i] = steps;
    }
    show("a", a, N);
}
