/* Atomic updates through pointers that lead to memory of one thread: plain accesses do there what atomic ones do elsewhere. */
#include <stdio.h>

#pragma acc routine seq
static void add(int *counter, float *factor, float value)
{
#pragma acc atomic
    *counter += 1;
#pragma acc atomic
    *factor *= value;
}

#pragma acc routine seq
static int exchange(short *cell, short value)
{
    int old;
#pragma acc atomic capture
    {
        old = *cell;
        *cell = value;
    }
    return old;
}

int main(void)
{
    enum { N = 1000 };
    int count = 0, wrong = 0;
    float factors[N];
    short cells[N];
    for (int i = 0; i < N; i++) {
        factors[i] = 1;
        cells[i] = (short)i;
    }
#pragma acc parallel loop copy(count, factors, cells) reduction(+ : wrong)
    for (int i = 0; i < N; i++) {
        int own = 0;
        float mine = 1;
        short last = 5;
        int *either = i % 2 ? &own : &count;
        add(&own, &mine, 3);
        add(&count, &factors[i], mine);
        add(either, &mine, 2);
        wrong += own != 1 + i % 2 || mine != 6;
        wrong += exchange(&last, 7) != 5 || last != 7 || exchange(&cells[i], 3) != i;
    }
    for (int i = 0; i < N; i++)
        wrong += factors[i] != 3 || cells[i] != 3;
    printf("%d %d\n", count, wrong);
    return wrong != 0 || count != N + N / 2;
}
