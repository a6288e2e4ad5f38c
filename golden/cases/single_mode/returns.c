//! golden ptx: ptx
//! golden explain: explain
/* A routine of workers that leaves early, and one with a result that single mode computes; loops and `switch` inside of a stretch. */
#pragma acc routine worker
static int scale(int *restrict row, int n, int kind)
{
    int factor = 1;
    if (n == 0)
        return -1;
    switch (kind) {
    case 0:
        while (row[0] > 10)
            row[0] /= 2;
        break;
    case 1:
        factor = row[0];
        break;
    default:
        return -2;
    }
#pragma acc loop worker
    for (int i = 1; i < n; i++)
        row[i] *= factor;
    return factor;
}

void rows(int n, int *restrict a, int *restrict result)
{
#pragma acc parallel loop gang copy(a[0 : n * 8]) copyout(result[0 : n])
    for (int j = 0; j < n; j++)
        result[j] = scale(a + j * 8, 8, j % 3);
}
