//! golden ptx: ptx
/* Ordinary functions are called by the leader, routines with a worker loop by everyone. */
__attribute__((noinline)) static int ordinary(int x) { return x * 2 + 1; }

#pragma acc routine worker
static void fill(int *restrict row, int n, int value)
{
#pragma acc loop worker
    for (int i = 0; i < n; i++)
        row[i] = value + ordinary(i);
}

void rows(int n, int *restrict a)
{
#pragma acc parallel loop gang copyout(a[0 : n * 16])
    for (int j = 0; j < n; j++) {
        int value = ordinary(j);
        fill(a + j * 16, 16, value);
    }
}
