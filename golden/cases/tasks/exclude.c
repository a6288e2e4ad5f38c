//! golden exclude.ir: ir -fopenmp --target ptx --stage exclude --no-positions
/* Threads of all teams exclude each other in a function that they call: there is one team, of one thread. */
#pragma omp begin declare target
static long total;
static void add(long by)
{
#pragma omp critical
    total = total + by;
}
#pragma omp end declare target

long exclude(int n)
{
#pragma omp target
    total = 0;
#pragma omp target teams distribute parallel for
    for (int i = 0; i < n; i++)
        add(i);
#pragma omp target update from(total)
    return total;
}
