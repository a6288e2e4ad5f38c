// Loops whose iterations load before any of them goes on: branches, calls, divisions, several steps and bounds, loads
// of what was loaded, counters that go down, a bound of a row of a table, stores into what is loaded.
#include <math.h>
#include <stdio.h>

enum { N = 100, M = 60 };

struct node {
    float x, y;
    int next;
};

static float a[M + 20], b[M + 20], sums[N];
static int at[M + 20], first[N + 1], rows[N], counts[16], expected[16];
static struct node nodes[M + 20];
static double d[M + 20], quotients[N];
static unsigned char bytes[M + 20];
#pragma acc declare create(a, b, at, nodes, d, bytes)

#pragma acc routine seq
__attribute__((noinline)) static float bent(float x)
{
    return x < 3 ? x * 2 : x / 4 + 1;
}

static float sum_of(int i, int low, int m, int step)
{
    float sum = 0;
    for (int j = low; j < low + m; j += step) {
        float v = a[j] + nodes[at[j]].x;
        if (v > i % 20)
            sum += bent(v) + b[j + 1];
        else if (bytes[j] & 1)
            sum -= nodes[nodes[j].next].y;
    }
    return sum;
}

static double quotient_of(int i, int low, int m, int step)
{
    double t = 0;
    for (int j = m; j >= low; j--)
        t += d[j] / (i + 1) + sqrt(d[j + 1]);
    for (int j = low; j <= m; j += step)
        t = t / d[j] + d[j + step];
    return t;
}

int main(void)
{
    int bad = 0;
    for (int i = 0; i < M + 20; i++) {
        a[i] = i * 37 % 19, b[i] = i * 11 % 23 + 1, at[i] = i * 5 % M;
        nodes[i] = (struct node){i % 7, i % 5, i * 3 % M};
        d[i] = 1 + i % 9, bytes[i] = i * 3;
    }
    for (int i = 0; i < N; i++)
        first[i + 1] = first[i] + i % 9 * (first[i] < M);
#pragma acc update device(a, b, at, nodes, d, bytes)
#pragma acc data create(sums, quotients)
    for (int low = 0; low < 5; low++)
        for (int step = 1; step <= 3; step++)
            for (int m = 0; m < M; m += 13) {
#pragma acc parallel loop present(sums, quotients)
                for (int i = 0; i < N; i++) {
                    sums[i] = sum_of(i, low, m, step);
                    quotients[i] = quotient_of(i, low, m, step);
                }
#pragma acc update self(sums, quotients)
                for (int i = 0; i < N; i++) {
                    double exact = quotient_of(i, low, m, step);
                    bad += fabsf(sums[i] - sum_of(i, low, m, step)) > 1e-3f;
                    bad += fabs(quotients[i] - exact) > 1e-12 * (1 + exact);
                }
            }
#pragma acc parallel loop copyin(first) copyout(rows) copy(counts)
    for (int i = 0; i < N; i++) {
        int row = 0;
        for (int j = first[i]; j < first[i + 1]; j++)
            if (a[j] > 5)
                row += at[j];
        rows[i] = row;
        for (int j = 0; j < M; j++)
            if (a[j] > i % 19) {
#pragma acc atomic update
                counts[at[j] & 15]++;
            }
    }
    for (int i = 0; i < N; i++) {
        int row = 0;
        for (int j = first[i]; j < first[i + 1]; j++)
            row += a[j] > 5 ? at[j] : 0;
        bad += rows[i] != row;
        for (int j = 0; j < M; j++)
            expected[at[j] & 15] += a[j] > i % 19;
    }
    for (int i = 0; i < 16; i++)
        bad += counts[i] != expected[i];
    float before[M + 20];
    for (int j = 0; j < M; j++)
        before[j] = a[j];
#pragma acc parallel loop present(a)
    for (int i = 0; i < 1; i++)
        for (int j = 1; j < M; j++)
            if (a[j] > 2)
                a[j] = a[j - 1] + 1;
#pragma acc update self(a)
    for (int j = 1; j < M; j++) {
        if (before[j] > 2)
            before[j] = before[j - 1] + 1;
        bad += a[j] != before[j];
    }
    printf("%d wrong\n", bad);
    return bad != 0;
}
