/* Nests whose accesses go along different loops: with squares over the edge, without any, and where the order of an iteration's own
   accesses matters. */
#include <stdio.h>

enum { N = 300, M = 261, DEPTH = 3 };

static float a[N][M], b[M][N], c[N][M];
static double p[N][M], q[M][N];
static short s[N][M], t[M][N];
static int whole[DEPTH][140][N], inner[N][DEPTH][140], outer[DEPTH][N][140];

static void skewed(int n, int m, const float *from, float *to)
{
#pragma acc parallel loop collapse(2) present(from[0:n * m], to[0:n * m])
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            to[j * n + i] = from[i * m + j] * 2;
}

/* Each iteration reads what it has just written. */
static long own_place(int n, float *square, const float *other)
{
#pragma acc parallel loop collapse(2) present(square[0:n * n], other[0:n * n])
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            square[j * n + i] = other[i * n + j];
            square[j * n + i] += 1;
        }
    long wrong = 0;
#pragma acc update self(square[0:n * n])
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            wrong += square[j * n + i] != i * 1000.f + j + 1;
    return wrong;
}

/* Nothing says that the two arrays that are written are different ones. */
static void chained(int n, float *x, float *y, float *z)
{
#pragma acc parallel loop collapse(2) present(x[0:n * n], y[0:n * n], z[0:n * n])
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            y[j * n + i] = x[i * n + j];
            z[i * n + j] = z[i * n + j] + 1;
        }
}

static float square[N * N], other[N * N];

int main(void)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++) {
            a[i][j] = i * 1000 + j;
            p[i][j] = i + j * 1000.;
            s[i][j] = i * 7 + j;
        }
    for (int i = 0; i < DEPTH; i++)
        for (int j = 0; j < 140; j++)
            for (int k = 0; k < N; k++)
                whole[i][j][k] = i * 1000000 + j * 1000 + k;
    long wrong = 0;

#pragma acc parallel loop collapse(2) copyin(a) copyout(b)
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++)
            b[j][i] = a[i][j];
#pragma acc parallel loop collapse(2) copyin(a, b) copyout(c)
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++)
            c[i][j] = a[i][j] + 2 * b[j][i];
#pragma acc parallel loop collapse(2) copyin(a, p) copyout(q) copy(b)
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++) {
            b[j][i] = 3 * a[i][j] + b[j][i];
            q[j][i] = p[i][j] + 1;
        }
#pragma acc parallel loop collapse(2) copyin(s) copy(t)
    for (int i = N - 1; i >= 0; i--)
        for (int j = 0; j < M; j++)
            t[j][i] = s[i][j];
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++) {
            wrong += b[j][i] != 4 * (i * 1000.f + j);
            wrong += c[i][j] != 3 * (i * 1000.f + j);
            wrong += q[j][i] != i + j * 1000. + 1;
            wrong += t[j][i] != (short)(i * 7 + j);
        }
    printf("two loops: %ld\n", wrong);

#pragma acc parallel loop collapse(3) copyin(whole) copyout(inner)
    for (int i = 0; i < DEPTH; i++)
        for (int j = 0; j < 140; j++)
            for (int k = 0; k < N; k++)
                inner[k][i][j] = whole[i][j][k];
#pragma acc kernels copyin(whole) copyout(outer)
    for (int i = 0; i < DEPTH; i++)
        for (int j = 0; j < 140; j++)
            for (int k = 0; k < N; k++)
                outer[i][k][j] = whole[i][j][k];
    wrong = 0;
    for (int i = 0; i < DEPTH; i++)
        for (int j = 0; j < 140; j++)
            for (int k = 0; k < N; k++) {
                wrong += inner[k][i][j] != whole[i][j][k];
                wrong += outer[i][k][j] != whole[i][j][k];
            }
    printf("three loops: %ld\n", wrong);

    wrong = 0;
    for (int n = 1; n <= N; n += n < 250 ? 83 : 10)
        for (int m = 255; m <= M; m += 3) {
            for (int i = 0; i < n * m; i++)
                other[i] = i;
#pragma acc data copyin(other) copyout(square[0:n * m])
            skewed(n, m, other, square);
            for (int i = 0; i < n; i++)
                for (int j = 0; j < m; j++)
                    wrong += square[j * n + i] != 2.f * (i * m + j);
        }
    printf("sizes: %ld\n", wrong);

    for (int i = 0; i < 290; i++)
        for (int j = 0; j < 290; j++)
            other[i * 290 + j] = i * 1000 + j;
#pragma acc data copyin(other) create(square)
    wrong = own_place(290, square, other);
    printf("own place: %ld\n", wrong);

    static float same[260 * 260], from[260 * 260];
    for (int i = 0; i < 260 * 260; i++)
        from[i] = i;
    wrong = 0;
#pragma acc data copyin(from) copyout(same)
    {
        static float counts[260 * 260];
#pragma acc data copy(counts)
        chained(260, from, same, counts);
    }
    for (int i = 0; i < 260; i++)
        for (int j = 0; j < 260; j++)
            wrong += same[j * 260 + i] != from[i * 260 + j];
    printf("chained: %ld\n", wrong);

#pragma acc parallel loop collapse(2) copy(b)
    for (int i = N - 1; i > 0; i -= 2)
        for (int j = 0; j < M; j++) {
            b[j][i] += 1;
            b[j][i - 1] += i;
        }
#pragma acc parallel loop collapse(3) copy(inner)
    for (int j = 0; j < 140; j++)
        for (int i = 0; i < DEPTH; i++)
            for (int k = 0; k < N; k++)
                inner[k][i][j] -= whole[i][j][k] - j;
    wrong = 0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++)
            wrong += b[j][i] != 4 * (i * 1000.f + j) + (i % 2 ? 1 : i + 1);
    for (int i = 0; i < DEPTH; i++)
        for (int j = 0; j < 140; j++)
            for (int k = 0; k < N; k++)
                wrong += inner[k][i][j] != j;
    printf("along an outer loop: %ld\n", wrong);
    return 0;
}
