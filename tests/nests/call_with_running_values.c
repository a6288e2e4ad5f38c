// What functions are given may be what iterations accumulate.
#include "show.h"
#define N 100
static int a[N], b[N], s;

__attribute__((noinline)) static void set(int *p, int value)
{
    *p = value;
}

__attribute__((noinline)) static void add(int *p, int value)
{
    *p += value;
}

int main(void)
{
    fill(b, N, 75);
    int sum = 0, total = 0;
#pragma acc kernels copy(sum)
    for (int i = 0; i < N; i++) { // expect: sequential: scan sum
        sum += b[i];
        set(&a[i], sum);
    }
    show("a", a, N);
#pragma acc kernels copy(total)
    for (int i = 0; i < N; i++) // expect: sequential: call add
        add(&total, b[i]);
    printf("%d %d\n", sum, total);
#pragma acc kernels copy(s)
    for (int i = 0; i < N; i++) // expect: sequential: call add
        add(&s, b[i]);
    printf("%d\n", s);
}
