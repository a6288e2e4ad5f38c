// options: -fopenmp
// Items of `map` are any lvalues: addresses that are computed or converted, parts of arrays behind pointers,
// which may be elements or members. The pointer leads to them though what it points to is not there.
#include <stdio.h>

typedef struct node {
    int value, row[4];
    struct node *next;
    double *far;
} node;

static long total(node *nodes, int *flat, int (*grid)[4], double *far)
{
    long sum = 0;
    for (int i = 0; i < 3; i++) {
        sum = sum * 7 + nodes[i].value;
        for (int k = 0; k < 4; k++)
            sum = sum * 3 + nodes[i].row[k] + grid[i][k] + flat[3 * i + k % 3] + (long)far[2 * i + k];
    }
    return sum;
}

int main(void)
{
    double far[10];
    int flat[12], grid[3][4], i = 1;
    node nodes[3];
    for (int k = 0; k < 12; k++) {
        flat[k] = k;
        grid[0][k] = 2 * k;
        nodes[k / 4].value = k;
        nodes[k / 4].row[k % 4] = k * k;
        nodes[k / 4].next = &nodes[(k / 4 + 1) % 3];
        nodes[k / 4].far = far + k / 4;
        far[k % 10] = k;
    }
    int *q = flat, (*whole)[12] = &flat, (*row)[4] = grid;
    node *p = nodes;
    void *any = nodes;
#pragma omp target map(tofrom : *(q + 2))
    q[2] += 5;
#pragma omp target map(tofrom : (q + 1)[0 : 3], (p + 1)->value)
    q[3] += ++p[1].value;
#pragma omp target map(tofrom : (*whole)[4 : 3])
    (*whole)[5] += 5;
#pragma omp target map(tofrom : *(*(grid + 1) + 2))
    grid[1][2] += 7;
#pragma omp target map(tofrom : row[1][1 : 2])
    row[1][2] += 7;
#pragma omp target map(tofrom : ((node *)any)[1].value)
    ((node *)any)[1].value += 4;
#pragma omp target map(tofrom : ((node *)any)[1 : 2])
    ((node *)any)[2].value += 4;
#pragma omp target map(tofrom : ((node *)any)->row[1 : 2])
    ((node *)any)->row[2] += 3;
#pragma omp target map(tofrom : p[i].row[i + 1])
    p[1].row[2] += 5;
#pragma omp target map(tofrom : p[1].row[1 : 2], p[1].value)
    p[1].row[2] += p[1].value++;
#pragma omp target map(tofrom : p[i].row[1 : 2], p)
    p[1].row[2] += 2;
#pragma omp target map(tofrom : nodes[0].next->row[1 : 2])
    nodes[0].next->row[2] += 5;
#pragma omp target map(tofrom : (*p).next->row[1 : 2])
    (*p).next->row[1] += 5;
#pragma omp target map(tofrom : (nodes[0].far + 1)[0 : 4])
    nodes[0].far[3] += 5;
#pragma omp target enter data map(to : (p + 1)->row[1 : 2])
#pragma omp target
    p[1].row[2] += 5;
#pragma omp target exit data map(from : (p + 1)->row[1 : 2])
#pragma omp target data map(tofrom : flat)
    {
        flat[2] = 9;
#pragma omp target update to(*(q + 2))
#pragma omp target
        flat[4] += flat[2];
    }
    printf("%ld\n", total(nodes, flat, grid, far));
    return 0;
}
