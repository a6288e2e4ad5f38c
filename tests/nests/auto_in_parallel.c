// `auto` in `parallel` asks the same question.
#include "show.h"
#define N 200
static int a[N], b[N];

int main(void)
{
    int s = 0;
    fill(a, N, 113);
    fill(b, N, 114);
#pragma acc parallel num_gangs(1) copy(a, b, s)
    {
#pragma acc loop auto
        for (int i = 0; i < N; i++) // expect: parallel
            a[i] = b[i] + 1;
#pragma acc loop auto
        for (int i = 1; i < N; i++) // expect: sequential: carried b, distance 1
            b[i] = b[i - 1] + a[i];
#pragma acc loop auto reduction(+ : s)
        for (int i = 0; i < N; i++) // expect: parallel
            s += a[i];
    }
    show("a", a, N);
    show("b", b, N);
    printf("%d\n", s);
}
