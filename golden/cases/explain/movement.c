//! golden explain: explain
//! golden host.explain: explain --target host
/* What moves, which loops are merged, whose lanes are idle, and which functions become routines. */
static double scaled(double x) { return 2 * x; }

static double shifted(double x) { return scaled(x) + 1; }

void movement(int n, int m, double (*restrict a)[8], double *restrict b, double table[4][8])
{
    double halo[4] = {0};
    _Bool all = 1;
#pragma acc data copy(a[0 : n]) create(b[0 : n])
    {
#pragma acc parallel loop collapse(2)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < 8; j++)
                a[i][j] = shifted(a[i][j]);
#pragma acc parallel loop gang num_workers(4)
        for (int i = 0; i < n; i++)
            b[i] = a[i][0];
#pragma acc parallel loop collapse(2) reduction(&& : all)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < (int)scaled(m); j++)
                all = all && a[i][j] >= 0;
#pragma acc parallel loop tile(2, 4) copyout(table[0 : 4][0 : 8]) copyin(halo)
        for (int i = 0; i < 4; i++)
            for (int j = 0; j < 8; j++)
                table[i][j] = a[0][j] + halo[i] + all;
#pragma acc parallel loop seq collapse(2) present(a[0 : n]) num_gangs(1)
        for (int i = 0; i < n; i++)
            for (int j = 1; j < 8; j++)
                a[i][j] += a[i][j - 1];
#pragma acc update self(b[0 : n], a[0 : n][7 : 1]) if_present
    }
}
