//! golden explain: explain
//! golden json: explain --format json
//! golden host.explain: explain --target host
//! golden lock.explain: explain --reduction lock --arch sm_70
//! golden dim.explain: explain -fopenacc-dim=16:4:64
/* Every topic of explain. */
#pragma acc routine seq
double f(double x) { return x * x; }

double decisions(int n, int m, double *restrict x, const double *restrict y, int table[16])
{
    double sum = 0, most = 0;
    int last = 0;
    const int limits[4] = {1, 2, 3, 4};
#pragma acc parallel loop gang worker vector reduction(+ : sum) reduction(max : most) num_workers(64) vector_length(48)
    for (int i = 0; i < n; i++) {
        sum += f(x[i]) * limits[i % 4];
        most = x[i] > most ? x[i] : most;
    }
#pragma acc parallel loop gang copyin(y[0 : n * m]) copyout(x[0 : n])
    for (int j = 0; j < n; j++) {
        double row = 0;
        int first = j * m;
        x[j] = -1;
#pragma acc loop worker vector reduction(+ : row)
        for (int i = 0; i < m; i++)
            row += y[first + i];
        x[j] = row;
    }
#pragma acc kernels num_gangs(8) copy(table[0 : 16])
    {
        last = table[0];
#pragma acc loop independent
        for (int i = 0; i < m; i++)
            table[i] += last;
        for (int i = 0; i < m; i++)
            last += table[i];
    }
    return sum + most + last;
}
