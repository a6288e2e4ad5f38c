// In `serial`, one thread executes a loop whose directive does not say `independent`: that iterations need each
// other is no mistake.
#include "../nests/show.h"
#define N 60

static int a[N], b[N];

int main(void)
{
    int s = 4;
    fill(a, N, 91);
#pragma acc serial loop copy(a)
    for (int i = 1; i < N; i++)
        a[i] += a[i - 1] * 3;
#pragma acc serial copy(a, b)
    {
#pragma acc loop gang vector
        for (int i = 0; i < N - 1; i++)
            a[i] = a[i + 1] ^ i;
#pragma acc loop reduction(+ : s)
        for (int i = 2; i < N; i++) {
            b[i] = b[i - 2] + a[i];
            s += b[i];
        }
    }
    show("a", a, N);
    show("b", b, N);
    printf("%d\n", s);
}
