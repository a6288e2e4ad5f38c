// options: -fopenmp
// Arrays and structures in tasks: copied when the task is created, or shared; arrays of variable length are
// shared, also by nested tasks, or private.
#include <stdio.h>

struct record { int id; double values[3]; struct { char tag; long wide; } inner; };

static long squares(int n)
{
    long cells[n];
    long grid[n][3];
    long sum = 0;
#pragma omp parallel
#pragma omp single
    {
        for (int i = 0; i < n; i++) {
#pragma omp task shared(cells, grid)
            {
                cells[i] = i * i;
#pragma omp task shared(grid)
                for (int k = 0; k < 3; k++)
                    grid[i][k] = i + k;
#pragma omp taskwait
            }
        }
#pragma omp taskwait
        for (int i = 0; i < n; i++)
            sum += cells[i] + grid[i][0] * grid[i][1] - grid[i][2];
    }
    return sum;
}

static int private_lengths(int n)
{
    int scratch[n], total = 0;
    for (int i = 0; i < n; i++)
        scratch[i] = -1;
#pragma omp parallel num_threads(3) private(scratch)
    {
        for (int i = 0; i < n; i++)
            scratch[i] = i;
#pragma omp barrier
        int own = 0;
        for (int i = 0; i < n; i++)
            own += scratch[i];
#pragma omp atomic
        total += own;
#pragma omp task private(scratch) shared(total)
        {
            for (int i = 0; i < n; i++)
                scratch[i] = 2;
#pragma omp atomic
            total += (int)(sizeof scratch / sizeof scratch[0]) * scratch[n - 1];
        }
    }
    return total + scratch[0];
}

int main(void)
{
    struct record r = { 3, { 1, 2, 3 }, { 'x', 1L << 40 } };
    int table[2][2] = { { 1, 2 }, { 3, 4 } };
    double out[3] = { 0 };
    int sums[2] = { 0 };
#pragma omp parallel
#pragma omp single
    {
#pragma omp task firstprivate(r, table) shared(out, sums)
        {
            r.values[1] *= 10;
            table[1][1] = 40;
            out[0] = r.values[0] + r.values[1] + r.values[2] + r.id + r.inner.tag + (double)(r.inner.wide >> 38);
            sums[0] = table[0][0] + table[1][1];
        }
        r.values[1] = 100;
        table[1][1] = 7;
#pragma omp taskwait
#pragma omp task shared(r, table, out, sums)
        {
            r.id = 30;
            out[1] = r.values[1] + r.id;
            sums[1] = table[1][1]++;
        }
#pragma omp taskwait
        out[2] = r.id;
    }
    printf("%g %g %g %d %d %d\n", out[0], out[1], out[2], sums[0], sums[1], table[1][1]);
    printf("%ld %d\n", squares(20), private_lengths(6));
    return 0;
}
