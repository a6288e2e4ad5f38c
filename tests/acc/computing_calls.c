// Calls of functions that only compute stand between loops over lanes: each thread may make them for itself.
#include <math.h>
#include <stdio.h>

enum { N = 9, M = 150 };

#pragma acc routine seq
static double half(double x)
{
    double parts[2] = {x, x};
    for (int k = 0; k < 2; k++)
        parts[k] *= 0.25;
    return parts[0] + parts[1];
}

static int seen;
#pragma acc declare create(seen)

// Reads memory that may change: the leader's alone.
#pragma acc routine seq
static double scaled(double x)
{
    return x * seen;
}

static void relaxed(int steps, const double *restrict start, double *restrict y)
{
#pragma acc parallel loop gang vector_length(64) copyin(start[0 : N]) copyout(y[0 : N * M])
    for (int i = 0; i < N; i++) {
        double row[2][M], rate = half(sqrt(start[i])), shift = pow(0.5, i + 1) + fmod(start[i], 3);
#pragma acc loop vector
        for (int j = 0; j < M; j++)
            row[0][j] = j * rate;
#pragma acc loop seq
        for (int t = 0; t < steps; t++) {
            double slow = exp(-t), factor = scaled(slow) + half(slow);
#pragma acc loop vector
            for (int j = 0; j < M; j++)
                row[(t + 1) % 2][j] = row[t % 2][j > 0 ? j - 1 : M - 1] * rate + shift * factor;
        }
#pragma acc loop vector
        for (int j = 0; j < M; j++)
            y[i * M + j] = row[steps % 2][j];
    }
}

int main(void)
{
    double start[N], y[N * M];
    for (int i = 0; i < N; i++)
        start[i] = i * 1.5 + 0.25;
    seen = 3;
#pragma acc update device(seen)
    relaxed(7, start, y);
    int wrong = 0;
    for (int i = 0; i < N; i++) {
        double row[2][M], rate = sqrt(start[i]) / 2, shift = pow(0.5, i + 1) + fmod(start[i], 3);
        for (int j = 0; j < M; j++)
            row[0][j] = j * rate;
        for (int t = 0; t < 7; t++)
            for (int j = 0; j < M; j++)
                row[(t + 1) % 2][j] = row[t % 2][j > 0 ? j - 1 : M - 1] * rate + shift * (3 * exp(-t) + exp(-t) / 2);
        for (int j = 0; j < M; j++)
            wrong += !(fabs(y[i * M + j] - row[1][j]) <= 1e-9 * (1 + fabs(row[1][j])));
    }
    printf("%d %.6f %.6f\n", wrong, y[5], y[N * M - 1]);
    return wrong != 0;
}
