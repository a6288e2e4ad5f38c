// Members of one element of an array, or behind a pointer, that clauses name: their copies lie beside each
// other as the members do, and the pointer leads to them.
#include <stdio.h>

typedef struct {
    short first;
    float *row;
    long last;
} part;

static long behind_a_pointer(part *p, int i)
{
    long sum = 0;
#pragma acc parallel loop copyin(p[i].last, p[i].first) reduction(+ : sum)
    for (int k = 0; k < 5; k++)
        sum += p[i].first + k * p[i].last;
#pragma acc data copyin(p[i].first) copy(p[i].last)
    {
#pragma acc serial
        p[i].last += p[i].first;
    }
#pragma acc enter data copyin(p[i].first, p[i].last)
#pragma acc serial copy(sum) present(p[i].first)
    sum += p[i].last * p[i].first;
#pragma acc exit data delete(p[i].first, p[i].last)
    return sum;
}

static long of_an_array(void)
{
    part parts[3] = { { 1, 0, 2 }, { 3, 0, 4 }, { 5, 0, 6 } };
    long sum = 0;
#pragma acc data copyin(parts[1].last, parts[1].first)
#pragma acc kernels
    sum = parts[1].last * 10 + parts[1].first;
    return sum;
}

int main(void)
{
    part parts[2] = { { 11, 0, 5 }, { 12, 0, 6 } };
    printf("%ld %ld\n", behind_a_pointer(parts, 1), of_an_array());
    return 0;
}
