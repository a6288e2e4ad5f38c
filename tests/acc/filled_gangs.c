// Loops over gangs only, and over gangs and workers or lanes: all threads may share them if a gang has nothing of its own in them.
#include <stdio.h>

enum { N = 1000 };

static void doubled(const int *restrict x, int *restrict y)
{
#pragma acc parallel loop gang copyin(x[0 : N]) copyout(y[0 : N])
    for (int i = 0; i < N; i++)
        y[i] = 2 * x[i];
}

static int sums(const int *restrict x, int *restrict rows)
{
    int all = 0;
#pragma acc parallel loop gang worker copyin(x[0 : N]) copyout(rows[0 : N / 10]) reduction(+:all)
    for (int i = 0; i < N / 10; i++) {
        int sum = 0, part[10];
        for (int j = 0; j < 10; j++)
            part[j] = x[10 * i + j] * (j + 1);
        for (int j = 0; j < 10; j++)
            sum += part[(j * 7) % 10];
        rows[i] = sum;
        all += sum;
    }
    return all;
}

static int counted(const int *restrict x)
{
    int odd = 0;
#pragma acc parallel loop gang vector copyin(x[0 : N]) copy(odd)
    for (int i = 0; i < N; i++)
        if (x[i] % 2)
#pragma acc atomic update
            odd++;
    return odd;
}

// An iteration reads what the one before it in its gang has written.
static int in_turn(int *restrict y)
{
    int most = 0;
#pragma acc parallel num_gangs(4) copyout(y[0 : N]) reduction(max:most)
    {
        int taken[2] = {0, 0};
#pragma acc loop gang
        for (int i = 0; i < N; i++) {
            taken[i & 1]++;
            y[i] = taken[0] + taken[1];
        }
        most = taken[0] + taken[1];
    }
    int sum = 0;
    for (int i = 0; i < N; i++)
        sum += y[i] > 0 && y[i] <= most;
    return sum;
}

int main(void)
{
    int x[N], y[N], rows[N / 10];
    for (int i = 0; i < N; i++)
        x[i] = i * 13 % 101;
    doubled(x, y);
    int wrong = 0, odd = 0, all = 0;
    for (int i = 0; i < N; i++) {
        wrong += y[i] != 2 * x[i];
        odd += x[i] % 2;
        all += x[i] * (i % 10 + 1);
    }
    int sum = sums(x, rows);
    wrong += counted(x) != odd;
    wrong += sum != all;
    for (int i = 0; i < N / 10; i++)
        sum -= rows[i];
    printf("%d %d %d\n", wrong, sum, in_turn(y));
    return wrong != 0;
}
