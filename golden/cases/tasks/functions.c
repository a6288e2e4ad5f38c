//! golden orphans.ir: ir -fopenmp --target ptx --stage orphans --no-positions
//! golden ptx: ptx -fopenmp -w
/* Who calls a function decides who shares its loop: the threads of a team, or one thread of a loop that has them. */
#pragma omp declare target
static void halve(float *row, int n)
{
#pragma omp parallel for num_threads(128)
    for (int i = 0; i < n; i++)
        row[i] /= 2;
}
static void halve_twice(float *row, int n)
{
    halve(row, n);
    if (n > 1)
        halve(row + 1, n - 1);
}
#pragma omp end declare target

void functions(float *a, int rows, int n)
{
#pragma omp target teams distribute map(tofrom : a[0 : rows * n])
    for (int r = 0; r < rows; r++)
        halve_twice(a + r * n, n);
#pragma omp target teams distribute parallel for map(tofrom : a[0 : rows * n])
    for (int r = 0; r < rows; r++)
        halve(a + r * n, n);
}
