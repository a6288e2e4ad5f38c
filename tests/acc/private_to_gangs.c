// What is private to a gang serves its iterations in turn: workers do not share a loop over gangs then.
#include <stdio.h>

enum { N = 3000, WIDTH = 32 };
static int y[N];

static void rows(void)
{
    int t[WIDTH];
#pragma acc parallel private(t) copy(y)
    {
#pragma acc loop gang
        for (int i = 0; i < N; i++) {
#pragma acc loop vector
            for (int j = 0; j < WIDTH; j++)
                t[j] = i + j;
            int sum = 0;
#pragma acc loop vector reduction(+:sum)
            for (int j = 0; j < WIDTH; j++)
                sum += t[WIDTH - 1 - j];
            y[i] += sum;
        }
    }
}

static void tiles(void)
{
    int t[2];
#pragma acc parallel private(t) copy(y)
    {
#pragma acc loop gang tile(4, 8)
        for (int i = 0; i < N / 8; i++)
            for (int j = 0; j < 8; j++) {
                t[j % 2] = i * j;
                y[i * 8 + j] += t[j % 2];
            }
    }
}

int main(void)
{
    rows();
    tiles();
    long sum = 0;
    for (int i = 0; i < N; i++)
        sum = sum * 31 % 1000003 + y[i];
    printf("%ld\n", sum);
    return 0;
}
