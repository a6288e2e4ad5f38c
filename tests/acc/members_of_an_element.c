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

/* The copy of an array that a region brings leads to sections that a construct around it has mapped. */
static float rows_of_elements(void)
{
    float one[4] = { 1, 2, 3, 4 }, two[4] = { 5, 6, 7, 8 };
    float *rows[2] = { one, two };
    part parts[2] = { { 1, one, 2 }, { 3, two, 4 } };
#pragma acc data copy(rows[0][0 : 4], rows[1][0 : 4])
#pragma acc parallel loop
    for (int k = 0; k < 4; k++)
        rows[0][k] += rows[1][k];
#pragma acc data copy(parts[1].row[0 : 4])
#pragma acc data copyin(parts) copyin(parts[0].row[0 : 4])
#pragma acc kernels
    for (int k = 0; k < 4; k++)
        parts[1].row[k] += parts[0].row[3 - k] * parts[1].first;
    return one[3] + 10 * two[1];
}

int main(void)
{
    part parts[2] = { { 11, 0, 5 }, { 12, 0, 6 } };
    printf("%ld %ld %g\n", behind_a_pointer(parts, 1), of_an_array(), rows_of_elements());
    return 0;
}
