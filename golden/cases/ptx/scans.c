//! golden ptx: ptx
//! golden explain: explain
//! golden kernels.ir: ir --target ptx --stage kernels --no-positions
//! golden scans.ir: ir --target ptx --stage scans --no-positions
/* Running sums: parts that are added up first, which warps go through then, and rows of a parallel loop. */

void sums(int n, const double *restrict x, double *restrict p)
{
    double s = 0;
#pragma acc kernels present(x, p)
    for (int i = 0; i < n; i++) {
        s += x[i];
        p[i] = s;
    }
}

/* In front of the addition, under a condition, in place; the first lane alone, as there are other lanes than those of a warp. */
void places(int n, int *restrict a)
{
    int s = 0;
#pragma acc kernels present(a) vector_length(64)
    for (int i = 0; i < n; i++) {
        int is_one = a[i] & 1;
        a[i] = s;
        if (is_one)
            s++;
    }
}

void rows(int n, int m, const int *restrict x, int *restrict p)
{
#pragma acc kernels present(x, p)
    for (int i = 0; i < n; i++) {
        int most = -1;
        for (int j = 0; j < m; j++) {
            if (x[i * m + j] > most)
                most = x[i * m + j];
            p[i * m + j] = most;
        }
    }
}
