// Statements between the gang loops of `kernels`, and what each loop hands to the next.
// also: --gangs 3
#include <stdio.h>

enum { N = 5000, ROWS = 40, COLUMNS = 33 };

static double values[N], centred[N];
static float grid[ROWS][COLUMNS];

#pragma acc routine gang
static void scale(double *x, int n, double by)
{
#pragma acc loop gang worker vector
    for (int i = 0; i < n; i++)
        x[i] *= by;
}

static int phases(void)
{
    double sum = 1, largest = 0;
    int steps = 0;
    for (int i = 0; i < N; i++)
        values[i] = i % 16;
#pragma acc kernels copyin(values) copyout(centred) copy(sum, largest, steps)
    {
        double mean = 0;
#pragma acc loop independent reduction(+:mean)
        for (int i = 0; i < N; i++)
            mean += values[i];
        mean /= N;
        steps++;
#pragma acc loop independent
        for (int i = 0; i < N; i++)
            centred[i] = values[i] - mean;
        double first = centred[0];
#pragma acc loop independent gang worker vector reduction(+:sum) reduction(max:largest)
        for (int i = 0; i < N; i++) {
            sum += values[i] - centred[i];
            if (centred[i] - first > largest)
                largest = centred[i] - first;
        }
        steps++;
    }
    double mean = 0;
    for (int i = 0; i < N; i++)
        mean += values[i];
    mean /= N;
    double expected = 1 + mean * N;
    int wrong = steps != 2 || largest != 15 || sum - expected > 1e-6 || expected - sum > 1e-6;
    for (int i = 0; i < N; i++)
        wrong += centred[i] != values[i] - mean;
    return wrong;
}

static int waves(void)
{
    int total = 0, counts[4] = {0, 0, 0, 0}, last[4];
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++)
            grid[i][j] = i + j;
#pragma acc kernels copy(grid, total, counts) copyout(last)
    {
        int history[4];
        for (int step = 0; step < 4; step++) {
            int above = 0;
#pragma acc loop independent gang reduction(+:above)
            for (int i = 0; i < ROWS; i++) {
                int row = 0;
#pragma acc loop independent vector reduction(+:row)
                for (int j = 0; j < COLUMNS; j++)
                    row += grid[i][j] > 30;
                above += row;
            }
            history[step] = above;
            if (above > 100) {
#pragma acc loop independent collapse(2)
                for (int i = 0; i < ROWS; i++)
                    for (int j = 0; j < COLUMNS; j++)
                        grid[i][j] -= 5;
                total += above;
            }
            counts[step] += history[step] + step;
        }
        for (int step = 0; step < 4; step++)
            last[step] = history[3 - step];
    }
    int wrong = 0, expected = 0;
    for (int step = 0; step < 4; step++) {
        int above = 0;
        for (int i = 0; i < ROWS; i++)
            for (int j = 0; j < COLUMNS; j++)
                above += i + j - 5 * step > 30;
        if (above > 100)
            expected += above;
        wrong += counts[step] != above + step || last[3 - step] != above;
    }
    return wrong + (total != expected);
}

static int routines(void)
{
    double twice = 0;
    for (int i = 0; i < N; i++)
        values[i] = i;
#pragma acc kernels copy(values, twice)
    {
        scale(values, N, 2);
#pragma acc loop independent reduction(+:twice)
        for (int i = 0; i < N; i++)
            twice += values[i];
        scale(values, N, 0.5);
        values[0] = values[N - 1] + 1;
    }
    int wrong = twice != (double)N * (N - 1) || values[0] != N;
    for (int i = 1; i < N; i++)
        wrong += values[i] != i;
    return wrong;
}

/* What is read before the only loop, the loop changes: no gang may begin before all have read it. */
static int read_before(void)
{
    int values[N];
    for (int i = 0; i < N; i++)
        values[i] = i;
#pragma acc kernels copy(values) num_gangs(8)
    {
        int added = values[N - 3];
#pragma acc loop gang independent
        for (int i = 0; i < N; i++)
            values[i] += added;
    }
    int wrong = 0;
    for (int i = 0; i < N; i++)
        wrong += values[i] != i + N - 3;
    return wrong;
}

int main(void)
{
    int first = phases(), second = waves(), third = routines(), fourth = read_before();
    if (first || second || third || fourth)
        printf("%d %d %d %d wrong\n", first, second, third, fourth);
    return first || second || third || fourth;
}
