// Arrays of variable length that the threads of a gang, or of a worker, share.
// also: --gangs 3
#include <stdio.h>

static int of_gangs(int rows, int columns)
{
    int sums[rows], wrong = 0;
#pragma acc parallel copyout(sums)
    {
#pragma acc loop gang
        for (int i = 0; i < rows; i++) {
            int line[columns + i % 3];
#pragma acc loop worker vector
            for (int j = 0; j < columns + i % 3; j++)
                line[j] = i * j;
            int total = 0;
            {
                int turned[columns];
#pragma acc loop vector
                for (int j = 0; j < columns; j++)
                    turned[j] = line[columns - 1 - j];
#pragma acc loop worker vector reduction(+:total)
                for (int j = 0; j < columns; j++)
                    total += line[j] + turned[j];
            }
            sums[i] = total;
        }
    }
    for (int i = 0; i < rows; i++)
        wrong += sums[i] != i * columns * (columns - 1);
    return wrong;
}

static int of_workers(int rows, int columns)
{
    int sums[rows], wrong = 0;
#pragma acc parallel copyout(sums) vector_length(64)
#pragma acc loop gang worker
    for (int i = 0; i < rows; i++) {
        int line[columns], total = 0;
#pragma acc loop vector
        for (int j = 0; j < columns; j++)
            line[j] = i + j;
#pragma acc loop vector reduction(+:total)
        for (int j = 0; j < columns; j++)
            total += line[(j + 1) % columns];
        sums[i] = total;
    }
    for (int i = 0; i < rows; i++)
        wrong += sums[i] != i * columns + columns * (columns - 1) / 2;
    return wrong;
}

static int reduced(int bins, int n)
{
    double sums[bins];
    int wrong = 0;
    for (int b = 0; b < bins; b++)
        sums[b] = b;
#pragma acc parallel copy(sums)
    {
        double own[bins];
        for (int b = 0; b < bins; b++)
            own[b] = 0;
#pragma acc loop worker vector reduction(+:own)
        for (int i = 0; i < n; i++)
            own[i % bins] += 1;
        for (int b = 0; b < bins; b++)
            sums[b] = b + own[b];
    }
    for (int b = 0; b < bins; b++)
        wrong += sums[b] != b + n / bins + (b < n % bins);
    return wrong;
}

int main(void)
{
    int first = of_gangs(50, 70), second = of_workers(50, 100), third = reduced(7, 1000);
    if (first || second || third)
        printf("%d %d %d wrong\n", first, second, third);
    return first || second || third;
}
