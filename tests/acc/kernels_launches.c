// Nests, straight code and sequential loops of one `kernels` construct: a launch for each nest, values of one for
// the next in memory between.
// also: --gangs 3
#include <stdio.h>

static double a[4000], b[4000], c[4000], grid[70][90], next[70][90];
static int counts[8];

static void fill(int n)
{
    for (int i = 0; i < n; i++) {
        a[i] = i % 23 + 1;
        b[i] = 2 - i % 7;
        c[i] = 0;
    }
    for (int i = 0; i < 70; i++)
        for (int j = 0; j < 90; j++)
            grid[i][j] = (i * 7 + j) % 19;
}

static double check(int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += a[i] * (i % 5) + b[i] * (i % 3) + c[i] * (i % 11);
    for (int i = 0; i < 70; i++)
        for (int j = 0; j < 90; j++)
            sum += grid[i][j] * (i - j % 8) + next[i][j];
    return sum;
}

/* The host counts; the launches get `t`. */
static int sweeps(int rows, int columns, int steps)
{
    int t, last = -1;
#pragma acc kernels
    {
        for (t = 0; t < steps; t++) {
            last = t * 2;
#pragma acc loop independent
            for (int i = 1; i < rows - 1; i++)
#pragma acc loop independent
                for (int j = 1; j < columns - 1; j++)
                    next[i][j] = (grid[i - 1][j] + grid[i + 1][j] + grid[i][j - 1] + grid[i][j + 1]) * 0.25 + last;
            for (int s = 0; s < 2; s++) {
#pragma acc loop independent
                for (int i = 1; i < rows - 1; i++)
#pragma acc loop independent
                    for (int j = 1; j < columns - 1; j++)
                        grid[i][j] = next[i][j] * 0.5 + s + t;
                if (t == 1)
                    grid[0][0] += 3;
            }
        }
        last += t;
    }
    return last * 100 + t;
}

/* Sums, a scalar and an array of the construct go from launch to launch. */
static double chain(int n, int times)
{
    double result[3] = {0};
#pragma acc kernels copy(result)
    {
        double weights[3] = {1, 2, 0};
        double sum = 0, most = -1e9;
        int odd = 0;
#pragma acc loop independent reduction(+ : sum)
        for (int i = 0; i < n; i++)
            sum += a[i];
        weights[2] = sum / n;
        if (sum > n)
            odd = 5;
#pragma acc loop independent
        for (int i = 0; i < n; i++)
            c[i] = a[i] * weights[i % 3] + odd;
        for (int k = 0; k < times; k++) {
            double step = weights[k % 3];
            weights[0] = step + 1;
#pragma acc loop independent reduction(max : most)
            for (int i = 0; i < n; i++)
                most = c[i] + weights[0] > most ? c[i] + weights[0] : most;
            result[1] += step;
        }
        result[0] = most;
        result[2] = sum + odd;
    }
    return result[0] + 10 * result[1] + result[2];
}

/* Only the device knows when the loop ends, and whether the nest runs. */
static double until_small(int n)
{
    double error = 1e9;
    int rounds = 0;
#pragma acc kernels
    {
        while (error > 1 && rounds < 50) {
            error = 0;
#pragma acc loop independent
            for (int i = 0; i < n; i++)
                b[i] = b[i] * 0.5;
#pragma acc loop independent reduction(max : error)
            for (int i = 0; i < n; i++) {
                double d = b[i] < 0 ? -b[i] : b[i];
                error = d > error ? d : error;
            }
            rounds++;
        }
        if (error > 0.25) {
#pragma acc loop independent
            for (int i = 0; i < n; i++)
                c[i] += b[i];
        }
    }
    return error + rounds;
}

/* All clauses are those of the whole. */
static int clauses(int n, int on_device, int on_host)
{
    int i, rounds = 0;
#pragma acc enter data copyin(a, b) async(4)
    if (!on_device || on_host) {
#pragma acc wait(4)
    }
#pragma acc kernels async(3) wait(4) if(on_device) self(on_host) num_gangs(7) copy(a[0:n]) copyin(b[0:n])
    {
        a[0] += 1;
#pragma acc loop independent
        for (i = 0; i < n; i++)
            a[i] += b[i];
        rounds = rounds + 2;
#pragma acc loop independent
        for (i = 0; i < n; i++)
            a[i] *= 2;
        b[1] = 17;
    }
#pragma acc wait(3)
    if (on_device && !on_host) {
#pragma acc update self(a, b)
    }
#pragma acc exit data delete(a, b)
    return rounds;
}

/* A device with memory of its own has an older `n` than the host: that one counts. */
static void older(int n)
{
#pragma acc data copyin(n) copy(c)
    {
        n += 1000;
#pragma acc kernels
        {
#pragma acc loop independent
            for (int i = 0; i < n; i++)
                c[i] += 1;
#pragma acc loop independent
            for (int i = 0; i < n; i++)
                c[i] *= 3;
        }
    }
    for (int i = n - 1000; i < n; i++)
        c[i] = 1;
}

static int histogram(int n, int *first)
{
    int at = -1;
#pragma acc kernels copyout(first[0:1])
    {
#pragma acc loop seq
        for (int k = 0; k < 8; k++) {
            int count = 0;
#pragma acc loop independent reduction(+ : count)
            for (int i = 0; i < n; i++)
                count += (int)a[i] % 8 == k;
            counts[k] = count;
            at = k;
        }
        first[0] = counts[0];
    }
    return at;
}

int main(void)
{
    int first, n = 4000;
    fill(n);
    printf("sweeps: %d", sweeps(70, 90, 3));
    printf(" %.9g\n", check(n));
    printf("none: %d", sweeps(70, 90, 0));
    printf(" %.9g\n", check(n));
    printf("chain: %.9g", chain(n, 4));
    printf(" %.9g\n", check(n));
    printf("until small: %.9g", until_small(n));
    printf(" %.9g\n", check(n));
    for (int how = 0; how < 4; how++) {
        printf("clauses: %d", clauses(n, how & 1, how >> 1));
        printf(" %.9g\n", check(n));
    }
    older(2500);
    printf("older: %.9g\n", check(n));
    printf("histogram: %d", histogram(n, &first));
    printf(" %d %d %.9g\n", first, counts[5], check(n));
    return 0;
}
