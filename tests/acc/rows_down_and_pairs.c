// Loops that count down, structures that are copied to any place, merged nests with subscripts of several
// counters, workers inside of gangs, and few long iterations: each beside the same without directives.
#include <stdio.h>
#include <stdlib.h>

struct pair {
    float re, im;
};

struct odd {
    short a;
    char b[5];
};

struct four {
    double x, y;
    int k[3];
};

enum { ROWS = 37, COLUMNS = 53, N = ROWS * COLUMNS };

static float x[N], y[N], z[N], w[N];
static int at[N];
static struct pair p[N], q[N];
static struct odd o[N], r[N];
static struct four f[N], g[N];
static float cube[5][7][ROWS][COLUMNS], sums[5][7];

/// Filters rows there and back; the way back may go in steps and end above zero.
static void there_and_back(int rows, int n, int last, float *restrict to, const float *restrict from)
{
#pragma acc parallel loop copy(to[0:rows * n]) copyin(from[0:rows * n])
    for (int i = 0; i < rows; i++) {
        float before = 0;
        for (int j = 0; j < n; j++) {
            before = from[i * n + j] + 0.5f * before;
            to[i * n + j] = before;
        }
        for (int j = n - 2; j >= 0; j--)
            to[i * n + j] = 0.25f * to[i * n + j + 1] + to[i * n + j];
        for (int j = n - 1; j > last; j -= 3)
            to[i * n + j] += 1;
        for (long j = n - 1; j >= last; j -= 2)
            before += from[i * n + j];
        to[i * n] += before;
    }
}

static void copied(int n)
{
#pragma acc parallel loop copyin(at, p, o, f) copy(q, r, g)
    for (int i = 0; i < n; i++) {
        q[at[i]] = p[i];
        r[at[i]] = o[i];
        g[i] = f[at[i]];
    }
}

static void of_workers(void)
{
#pragma acc parallel loop gang num_workers(3) vector_length(32) copyin(cube) copy(sums)
    for (int i = 0; i < 5; i++)
#pragma acc loop worker
        for (int j = 0; j < 7; j++) {
            float sum = 0;
#pragma acc loop vector collapse(2) reduction(+:sum)
            for (int k = 0; k < ROWS; k++)
                for (int l = 1; l < COLUMNS - 1; l++)
                    sum += cube[i][j][k][l - 1] * 2 - cube[i][j][k][l + 1];
            sums[i][j] = sum;
        }
}

int main(void)
{
    for (int i = 0; i < N; i++) {
        x[i] = z[i] = i % 11 - 5;
        y[i] = w[i] = 0;
        at[i] = (i * 1000 + 7) % N;
        p[i] = (struct pair){i, -i};
        o[i] = (struct odd){i, {i, i + 1, i + 2, i + 3, i + 4}};
        f[i] = (struct four){i, i * 0.5, {i, i + 1, i + 2}};
    }
    for (int i = 0; i < 5 * 7 * N; i++)
        (&cube[0][0][0][0])[i] = i % 17;
    int wrong = 0;
    for (int n = 1; n <= COLUMNS; n += 13)
        for (int last = 0; last < n && last < 5; last++) {
            there_and_back(ROWS, n, last, y, x);
            for (int i = 0; i < ROWS; i++) {
                float before = 0;
                for (int j = 0; j < n; j++)
                    w[i * n + j] = before = x[i * n + j] + 0.5f * before;
                for (int j = n - 2; j >= 0; j--)
                    w[i * n + j] = 0.25f * w[i * n + j + 1] + w[i * n + j];
                for (int j = n - 1; j > last; j -= 3)
                    w[i * n + j] += 1;
                for (int j = n - 1; j >= last; j -= 2)
                    before += x[i * n + j];
                w[i * n] += before;
            }
            for (int i = 0; i < ROWS * n; i++)
                wrong += !(y[i] - w[i] < 1e-3f && w[i] - y[i] < 1e-3f);
        }
    copied(N);
    for (int i = 0; i < N; i++) {
        struct pair pair = q[at[i]];
        struct odd odd = r[at[i]];
        struct four four = g[i];
        wrong += pair.re != i || pair.im != -i;
        wrong += odd.a != (short)i || odd.b[0] != (char)i || odd.b[4] != (char)(i + 4);
        wrong += four.x != at[i] || four.y != at[i] * 0.5 || four.k[2] != at[i] + 2;
    }
    of_workers();
    for (int i = 0; i < 5; i++)
        for (int j = 0; j < 7; j++) {
            float sum = 0;
            for (int k = 0; k < ROWS; k++)
                for (int l = 1; l < COLUMNS - 1; l++)
                    sum += cube[i][j][k][l - 1] * 2 - cube[i][j][k][l + 1];
            wrong += sums[i][j] != sum;
        }
    printf("%d wrong\n", wrong);
    return 0;
}
