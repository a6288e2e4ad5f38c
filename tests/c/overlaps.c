/* Loops that read what they may or may not write: each alone, behind itself, and in front of itself. */
#include <stdio.h>

enum { N = 40 };

__attribute__((noinline)) void scale(double *a, const double *by, int n)
{
    for (int k = 0; k < 1; k++)
        for (int i = 0; i < n; i++)
            a[i] = a[i] * *by + 1;
}

__attribute__((noinline)) void add(int **row, int n)
{
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < n; i++)
            (*row)[i] += 3;
}

typedef struct {
    int n;
    float *x;
    float scale;
} row;

__attribute__((noinline)) void stretch(row *r)
{
    for (int k = 0; k < 1; k++)
        for (int i = 0; i < r->n; i++)
            r->x[i] *= r->scale;
}

__attribute__((noinline)) void eliminate(double (*a)[N], int first, int last, int k)
{
    for (int i = first; i < last; i++)
        for (int j = k - 3; j < N; j++)
            a[i][j] -= a[i][k] * a[k][j];
}

__attribute__((noinline)) void smooth(double *to, const double *a, const double *b, const double *c, int n)
{
    for (int k = 0; k < 1; k++)
        for (int i = 1; i < n - 1; i++)
            to[i] = a[i - 1] + a[i + 1] + b[i] + b[i + 1] + c[i - 1] + c[i] + c[i + 1];
}

static unsigned long sum_of(const double *x, int n)
{
    unsigned long sum = 0;
    for (int i = 0; i < n; i++)
        sum = sum * 31 + (unsigned long)(x[i] > 1e15 || x[i] < -1e15 ? 7 : (long)(x[i] * 16));
    return sum;
}

int main(void)
{
    double a[N], alone = 1.25;
    for (int at = -1; at < N; at++) {
        for (int i = 0; i < N; i++)
            a[i] = 1 + i % 3 * 0.5;
        scale(a, at < 0 ? &alone : a + at, 37);
        printf("%lx%c", sum_of(a, N) & 0xfff, at % 10 == 9 ? '\n' : ' ');
    }
    printf("\n");
    int whole[N] = {0}, *start = whole;
    unsigned sum = 0;
    add(&start, 37);
    for (int i = 0; i < N; i++)
        sum = sum * 3 + whole[i];
    printf("%u\n", sum);
    /* The row is made of the members that describe it. */
    union {
        row r;
        float x[64];
        int i[64];
    } u;
    for (int at = 0; at < 64; at++)
        u.x[at] = at;
    float *x = u.x;
    u.r = (row){50, x + 6, 3};
    stretch(&u.r);
    for (int at = 6; at < 64; at += 9)
        printf("%g ", u.x[at]);
    u.r = (row){50, x + 4, 3};
    stretch(&u.r);
    for (int at = 7; at < 64; at += 9)
        printf("%g ", u.x[at]);
    printf("\n");
    double c[N][N];
    for (int k = 3; k < N; k += 4) {
        for (int i = 0; i < N * N; i++)
            c[i / N][i % N] = i % 7 * 0.25 + 0.5;
        eliminate(c, k - 2 < 0 ? 0 : k - 2, N, k);
        printf("%lx ", sum_of(c[0], N * N) & 0xffff);
    }
    printf("\n");
    double d[4 * N];
    for (int from = -3; from < 9; from++) {
        for (int i = 0; i < 4 * N; i++)
            d[i] = i % 11;
        smooth(d + N, d + N + from, d + 2 * N + 5 * from, d, N);
        printf("%lx ", sum_of(d, 4 * N) & 0xffff);
    }
    printf("\n");
    return 0;
}
