//! golden ptx: ptx
//! golden updates.ir: ir --target ptx --stage updates --no-positions
//! count ptx: red=6
/* Elements that all iterations update: each thread has a number of its own, the element is updated once for each gang. */

void totals(int n, const double *restrict x, double *restrict y)
{
#pragma acc parallel loop copyin(x[0 : n]) present(y)
    for (int i = 0; i < n; i++) {
#pragma acc atomic update
        y[0] += x[i];
#pragma acc atomic update
        y[97] += x[i] * x[i];
    }
}

int count(int n, int k, const double *x, int *last)
{
    int all = 0, found[4] = {0};
#pragma acc parallel loop copyin(x[0 : n]) copy(all, found)
    for (int i = 0; i < n; i++)
        if (x[i] > k) {
#pragma acc atomic update
            all++;
#pragma acc atomic update
            found[2] |= 1 << i % 31;
        }
    *last = found[2];
    return all;
}
