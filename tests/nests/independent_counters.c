// Counters and sums that are declared outside of a loop called independent: what a clause gives to its
// iterations is theirs in the loops inside of it, too, which are as parallel as with variables of their own.
#include <stdio.h>

#define N 24

static double a[N][N], x[N], y[N], z[N], b[N][N], c[N][N];

// No clause names j and sum: the loop around gives them to its iterations.
static void of_the_loop(void)
{
    int i, j;
    double sum;
#pragma acc kernels loop independent copyin(a, x) copyout(y)
    for (i = 0; i < N; i++) {
        sum = 0;
        for (j = 0; j < N; j++) // expect: parallel: reduction + sum
            sum += a[i][j] * x[j];
        y[i] = sum;
    }
}

// A clause names them.
static void of_a_clause(void)
{
    int i, j;
    double sum;
#pragma acc kernels loop independent private(j, sum) copyin(a, x) copyout(z)
    for (i = 0; i < N; i++) {
        sum = 0;
        for (j = 0; j < N; j++) // expect: parallel: reduction + sum
            sum += a[i][j] * x[j];
        z[i] = sum;
    }
}

// Three deep: the middle loop has a clause of its own.
static void three_deep(void)
{
    int i, j, k;
    double t;
#pragma acc kernels copyin(a) copyout(b, c)
    {
#pragma acc loop independent private(k)
        for (i = 0; i < N; i++) {
#pragma acc loop independent private(t)
            for (j = 0; j < N; j++) {
                t = 0;
                for (k = 0; k < N; k++) // expect: parallel: reduction + t
                    t += a[i][k] * a[k][j];
                b[i][j] = t;
            }
            for (j = 0; j < N; j++) { // expect: parallel: private t
                t = a[j][i];
                c[i][j] = t * 2;
            }
        }
    }
}

int main(void)
{
    for (int i = 0; i < N; i++) {
        x[i] = i % 5 - 1;
        for (int j = 0; j < N; j++)
            a[i][j] = (i * 3 + j * 7) % 11 - 4;
    }
    of_the_loop();
    of_a_clause();
    three_deep();
    double sums[4] = {0};
    for (int i = 0; i < N; i++) {
        sums[0] += y[i] * (i + 1);
        sums[1] += z[i] * (i + 1);
        for (int j = 0; j < N; j++) {
            sums[2] += b[i][j] * (i - j + 1);
            sums[3] += c[i][j] * (i + 2 * j);
        }
    }
    printf("%g %g %g %g\n", sums[0], sums[1], sums[2], sums[3]);
    return 0;
}
