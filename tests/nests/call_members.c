// Functions that write members and rows of what they are given.
#include "show.h"
#define N 60
static struct body {
    double at[3], speed[3];
    int steps;
} bodies[N];
static int rows[N][4], sums[N], columns[4][N];

__attribute__((noinline)) static void push(struct body *body, double by)
{
    for (int k = 0; k < 3; k++)
        body->at[k] += by * body->speed[k];
    body->steps++;
}

__attribute__((noinline)) static void row(int *r, int i)
{
    r[0] = i;
    r[1] = r[0] * i;
    r[3] = 7;
}

__attribute__((noinline)) static int total(const int *r)
{
    return r[0] + r[1] + r[2] + r[3];
}

__attribute__((noinline)) static void column(int (*c)[N], int i)
{
    c[0][i] = i;
    c[3][i] = 3 * i;
}

int main(void)
{
    for (int i = 0; i < N; i++)
        for (int k = 0; k < 3; k++)
            bodies[i].speed[k] = i - k;
#pragma acc kernels
    {
        for (int i = 0; i < N; i++) // expect: parallel
            push(&bodies[i], 0.5);
        for (int i = 0; i < N; i++) // expect: parallel
            row(rows[i], i);
        for (int i = 0; i < N; i++) // expect: parallel
            sums[i] = total(rows[i]);
        for (int i = 1; i < N; i++) // expect: sequential: carried rows, distance 1
            rows[i][2] = total(rows[i - 1]);
        for (int i = 0; i < N; i++) // expect: sequential: call column
            column(columns, i);
    }
    for (int i = 0; i < N; i += 7)
        printf("%g %g %d\n", bodies[i].at[0], bodies[i].at[2], bodies[i].steps);
    show("rows", rows[0], 4 * N);
    show("sums", sums, N);
    show("columns", columns[0], 4 * N);
}
