//! golden lower.ir: ir -fopenmp --stage lower --no-positions
//! golden teams.ir: ir -fopenmp --stage teams --no-positions
//! golden surplus.ir: ir -fopenmp --target ptx --stage surplus --no-positions
//! golden ptx: ptx -fopenmp -w
/* All threads of a gang are a team: 40 of them leave 24 lanes of two warps without a number. */
int omp_get_thread_num(void);

void team(int *a, int n)
{
#pragma omp target teams distribute map(tofrom : a[0 : 40 * n])
    for (int g = 0; g < n; g++) {
        int part[40], sum = 0;
#pragma omp parallel num_threads(40)
        {
            int t = omp_get_thread_num();
            part[t] = a[40 * g + t];
#pragma omp for reduction(+ : sum)
            for (int i = 0; i < 40; i++)
                sum += part[i];
            a[40 * g + t] = sum + part[39 - t];
        }
    }
}
