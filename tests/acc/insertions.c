// Insertions into arrays of a thread's own: loops with two tests, the first of which counts by constants.
#include <stdio.h>

enum { N = 70, M = 45, LEAST = 6 };

static float value(int i, int m)
{
    return (float)((i * 37 + m * 101) % 211);
}

static void least(const float *restrict x, float *restrict y)
{
#pragma acc parallel loop copyin(x[0 : N * M]) copyout(y[0 : N * LEAST])
    for (int i = 0; i < N; i++) {
        float best[LEAST];
        for (int k = 0; k < LEAST; k++)
            best[k] = 1e9f;
        for (int m = 0; m < M; m++) {
            float now = x[i * M + m];
            if (now < best[LEAST - 1]) {
                int k = LEAST - 1;
                while (k > 0 && best[k - 1] > now) {
                    best[k] = best[k - 1];
                    k--;
                }
                best[k] = now;
            }
        }
        for (int k = 0; k < LEAST; k++)
            y[i * LEAST + k] = best[k];
    }
}

// The order is up to the value of a counter behind such a loop, which leaves it in the middle or at its end.
static void places(const float *restrict x, int *restrict y)
{
#pragma acc parallel loop copyin(x[0 : N * M]) copyout(y[0 : N])
    for (int i = 0; i < N; i++) {
        int up, down = 4, all = 0;
        for (up = 0; up < 5 && x[i * M + up] < 150; up++)
            all += up * 10;
        do {
            all += x[i * M + down] > 100;
        } while (--down > 0 && x[i * M + down] > 20);
        for (long far = 3; far >= -2 && all % 7 != 3; far -= 2)
            all += (int)far + 5;
        y[i] = all * 100 + up * 10 + down;
    }
}

// As the serial code has it.
static float expected(int i, int k)
{
    float sorted[M];
    for (int m = 0; m < M; m++) {
        int at = m;
        for (; at > 0 && sorted[at - 1] > value(i, m); at--)
            sorted[at] = sorted[at - 1];
        sorted[at] = value(i, m);
    }
    return sorted[k];
}

int main(void)
{
    static float x[N * M], y[N * LEAST];
    static int z[N];
    for (int i = 0; i < N * M; i++)
        x[i] = value(i / M, i % M);
    least(x, y);
    int wrong = 0;
    for (int i = 0; i < N; i++)
        for (int k = 0; k < LEAST; k++)
            wrong += y[i * LEAST + k] != expected(i, k);
    places(x, z);
    long sum = 0;
    for (int i = 0; i < N; i++)
        sum = sum * 31 % 1000003 + z[i];
    printf("%d %g %g, %ld %d %d\n", wrong, y[0], y[N * LEAST - 1], sum, z[3], z[N - 1]);
    return wrong != 0;
}
