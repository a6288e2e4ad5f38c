//! golden explain: explain -fopenmp
//! golden lower.ir: ir -fopenmp --stage lower --no-positions
//! golden outline-threads.ir: ir -fopenmp --stage outline-threads --no-positions
/* A team, a task in it that shares one variable and copies another, and a target task behind it. */
long graph(int n, int *a)
{
    long sum = 0;
    int first = 3;
#pragma omp parallel num_threads(2)
#pragma omp single
    {
#pragma omp task depend(out : a[0]) shared(sum)
        {
            a[0] = first;
            sum = 1;
        }
#pragma omp target teams distribute parallel for nowait depend(inout : a[0]) map(tofrom : a[0 : n])
        for (int i = 0; i < n; i++)
            a[i] += first;
#pragma omp taskwait
    }
    for (int i = 0; i < n; i++)
        sum += a[i];
    return sum;
}
