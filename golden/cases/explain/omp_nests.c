//! golden explain: explain -fopenmp
//! golden outline.ir: ir -fopenmp --stage outline --no-positions
/* Split constructs of OpenMP use the levels of combined ones. */
void omp_nests(int n, int *a, int *sum)
{
#pragma omp target map(tofrom : a[0 : n])
#pragma omp teams distribute parallel for
    for (int i = 0; i < n; i++)
        a[i] += 1;
#pragma omp target teams distribute num_teams(4) map(tofrom : a[0 : n])
    for (int j = 0; j < 4; j++) {
#pragma omp parallel for simd
        for (int i = j; i < n; i += 4)
            a[i] *= 2;
    }
    int all = 0;
#pragma omp target parallel map(to : a[0 : n]) map(tofrom : all) device(0)
    {
#pragma omp for reduction(+ : all)
        for (int i = 0; i < n; i++)
            all += a[i];
#pragma omp single
        all += 1;
    }
#pragma omp target simd safelen(4) map(present, tofrom : a[0 : n]) if(n < 0)
    for (int i = 4; i < n; i++)
        a[i] += a[i - 4];
    *sum = all;
}
