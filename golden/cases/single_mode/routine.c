//! golden ptx: ptx -fno-launch-numbers
/* Ordinary functions are called by the leader if they do more than compute, by everyone otherwise; routines with a worker loop
   by everyone. */
__attribute__((noinline)) static int ordinary(int x) { return x * 2 + 1; }
__attribute__((noinline)) static int reading(const int *of, int x) { return of[x] + 1; }

#pragma acc routine worker
static void fill(int *restrict row, int n, int value)
{
#pragma acc loop worker
    for (int i = 0; i < n; i++)
        row[i] = value + ordinary(i);
}

void rows(int n, const int *of, int *restrict a)
{
#pragma acc parallel loop gang copyin(of[0 : n]) copyout(a[0 : n * 16])
    for (int j = 0; j < n; j++) {
        int value = ordinary(j) + reading(of, j);
        fill(a + j * 16, 16, value);
    }
}
