// Where is the largest element? OpenACC has no such operator, but two reductions do it: first the value, then the
// smallest index that has it.
#include <limits.h>
#include <stdio.h>

enum { N = 50000 };
static int values[N];

int main(void)
{
    unsigned state = 12345;
    for (int i = 0; i < N; i++) {
        state = state * 1664525u + 1013904223u;
        values[i] = state >> 12;
    }

    int largest = INT_MIN, where = INT_MAX;
#pragma acc data copyin(values)
    {
#pragma acc parallel loop reduction(max:largest)
        for (int i = 0; i < N; i++)
            if (values[i] > largest)
                largest = values[i];
#pragma acc parallel loop reduction(min:where)
        for (int i = 0; i < N; i++)
            if (values[i] == largest && i < where)
                where = i;
    }
    printf("values[%d] = %d is the largest of %d\n", where, largest, N);
    return 0;
}
