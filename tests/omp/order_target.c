// options: -fopenmp
// Clauses that want the iterations in their order, in code of a device: `scan` and `lastprivate(conditional:)`.
#include <stdio.h>

int in[100], out[100];

static int check(void)
{
    int sum = 0;
    for (int i = 0; i < 100; i++)
        sum = sum * 31 % 1000003 + out[i];
    return sum;
}

int main(void)
{
    for (int i = 0; i < 100; i++)
        in[i] = i * 7 % 13;
    int s = 3;
#pragma omp target parallel for reduction(inscan, + : s) map(tofrom : out) map(to : in)
    for (int i = 0; i < 100; i++) {
        s += in[i];
#pragma omp scan inclusive(s)
        out[i] = s;
    }
    printf("%d %d\n", s, check());
#pragma omp target map(tofrom : out, s) map(to : in)
#pragma omp parallel for simd reduction(inscan, max : s)
    for (int i = 0; i < 100; i++) {
        out[i] = s;
#pragma omp scan exclusive(s)
        s = s > in[i] * i ? s : in[i] * i;
    }
    printf("%d %d\n", s, check());
    int x = 4, y = 9;
#pragma omp target parallel for lastprivate(conditional : x, y) map(to : in)
    for (int i = 0; i < 100; i++) {
        if (in[i] == 5)
            x = i;
        if (in[i] == 50)
            y = i;
    }
    printf("%d %d\n", x, y);
}
