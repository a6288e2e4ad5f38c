// Each lane has a row or a structure of its own, which accesses of several elements at once serve: rows that are
// aligned, rows that are for some lanes, pointers that are not, stores between loads, every width.
#include <stdio.h>
#include <stdlib.h>

#define ROWS(name, type)                                                                          \
    static void name(int n, int m, const type *a, type *y)                                        \
    {                                                                                             \
        _Pragma("acc parallel loop present(a[0 : n * m], y[0 : n])") for (int i = 0; i < n; i++)  \
        {                                                                                         \
            type sum = 1;                                                                         \
            for (int k = 0; k < m; k++)                                                           \
                sum = (type)(sum + a[i * m + k] * (k + 1));                                            \
            y[i] = sum;                                                                           \
        }                                                                                         \
    }
ROWS(rows_char, unsigned char)
ROWS(rows_short, short)
ROWS(rows_int, int)
ROWS(rows_long, long)
ROWS(rows_float, float)
ROWS(rows_double, double)

// Rows are smoothed in place: an element is loaded behind the store of its neighbour.
static void in_place(int n, int m, float *a)
{
#pragma acc parallel loop present(a[0 : n * m])
    for (int i = 0; i < n; i++)
        for (int k = 1; k < m; k++)
            a[i * m + k] = 0.5f * (a[i * m + k] + a[i * m + k - 1]);
}

// The same array through two pointers, one an element behind the other: what is stored is what is loaded next.
static void one_behind(int n, const int *from, int *to)
{
#pragma acc parallel loop present(from[0 : 8 * n], to[0 : 8 * n])
    for (int i = 0; i < n; i++) {
        to[8 * i] = from[8 * i] + 1;
        to[8 * i + 1] = from[8 * i + 1] + 2;
        to[8 * i + 2] = from[8 * i + 2] + 3;
        to[8 * i + 3] = from[8 * i + 3] + 4;
    }
}

struct particle {
    float x, y, z, mass;
    int cell, kind, tag, next;
};

// Members are exchanged, one is stored twice, and a name gets another value between the stores.
static void moved(int n, struct particle *p)
{
#pragma acc parallel loop present(p[0 : n])
    for (int i = 0; i < n; i++) {
        float first = p[i].x, second = p[i].y;
        p[i].x = second;
        first += p[i].mass;
        p[i].y = first;
        first = p[i].z - first;
        p[i].z = first;
        first *= 2;
        p[i].mass = first;
        p[i].cell = p[i].next;
        p[i].next = p[i].kind;
        p[i].kind = 5;
        p[i].tag = p[i].cell + p[i].kind;
        p[i].kind = p[i].tag + 1;
    }
}

// The index of a structure comes from memory, and only some lanes have one.
static void gathered(int n, const int *which, const struct particle *p, float *y)
{
#pragma acc parallel loop present(which[0 : n], p[0 : n], y[0 : n])
    for (int i = 0; i < n; i++) {
        y[i] = -1;
        if (which[i] >= 0) {
            const struct particle *at = &p[which[i]];
            y[i] = at->x + 2 * at->y + 3 * at->z + 4 * at->mass + at->cell - at->kind + at->tag - at->next;
        }
    }
}

// Rows of a matrix that lanes transpose, so that stores are far apart and loads side by side, and back.
static void turned(int n, const double *a, double *y)
{
#pragma acc parallel loop gang vector vector_length(64) present(a[0 : 6 * n], y[0 : 6 * n])
    for (int i = 0; i < n; i++) {
        double own[6];
        for (int k = 0; k < 6; k++)
            own[k] = a[6 * i + k];
        for (int k = 0; k < 6; k++)
            y[6 * i + k] = own[(k + 1) % 6] - own[5 - k];
    }
}

enum { N = 321, MOST = 24 };

static double sum_of(const char *name, int bytes, const unsigned char *of)
{
    double sum = 0;
    for (int i = 0; i < bytes; i++)
        sum += of[i] * (double)(i % 97 + 1);
    printf("%s %.0f\n", name, sum);
    return sum;
}

#define CHECK_ROWS(type)                                                                       \
    for (int m = 1; m <= MOST; m += m < 9 ? 1 : 5)                                             \
        for (int skip = 0; skip < 3; skip++) {                                                 \
            type *a = malloc((N * MOST + 3) * sizeof(type)), *y = calloc(N + 3, sizeof(type)); \
            for (int i = 0; i < N * MOST + 3; i++)                                             \
                a[i] = (type)(i * 7 % 11);                                                     \
            _Pragma("acc data copyin(a[0 : N * MOST + 3]) copy(y[0 : N + 3])")                 \
                rows_##type(N, m, a + skip, y + skip);                                         \
            double sum = 0;                                                                    \
            for (int i = 0; i < N + 3; i++)                                                    \
                sum += (double)y[i] / (1 + i % 5);                                             \
            printf("%s %d %d: %.9g\n", #type, m, skip, sum);                                   \
            free(a);                                                                           \
            free(y);                                                                           \
        }

int main(void)
{
    typedef unsigned char uchar;
#define rows_uchar rows_char
    CHECK_ROWS(uchar)
    CHECK_ROWS(short)
    CHECK_ROWS(int)
    CHECK_ROWS(long)
    CHECK_ROWS(float)
    CHECK_ROWS(double)

    float *smooth = malloc(N * MOST * sizeof(float));
    for (int m = 3; m <= MOST; m += 7) {
        for (int i = 0; i < N * MOST; i++)
            smooth[i] = i * 5 % 64;
#pragma acc data copy(smooth[0 : N * MOST])
        in_place(N, m, smooth);
        sum_of("in place", N * MOST * sizeof(float), (unsigned char *)smooth);
    }
    free(smooth);

    for (int by = 0; by < 5; by++) {
        int *both = malloc((8 * N + 8) * sizeof(int));
        for (int i = 0; i < 8 * N + 8; i++)
            both[i] = i * 3 % 1000;
#pragma acc data copy(both[0 : 8 * N + 8])
        one_behind(N, both, both + by);
        sum_of("one behind", (8 * N + 8) * sizeof(int), (unsigned char *)both);
        free(both);
    }

    struct particle *p = malloc((N + 1) * sizeof *p);
    int *which = malloc(N * sizeof(int));
    float *y = malloc(N * sizeof(float));
    for (int i = 0; i <= N; i++)
        p[i] = (struct particle){ i, 2 * i, i % 5, 0.25f * i, i % 7, i % 3, -i, i + 1 };
    for (int i = 0; i < N; i++)
        which[i] = i % 4 == 1 ? -1 : i * 17 % N;
#pragma acc data copy(p[0 : N + 1]) copyin(which[0 : N]) copyout(y[0 : N])
    {
        moved(N, p);
        gathered(N, which, p, y);
    }
    sum_of("moved", (N + 1) * sizeof *p, (unsigned char *)p);
    sum_of("gathered", N * sizeof(float), (unsigned char *)y);

    double *a = malloc(6 * N * sizeof(double)), *turn = malloc(6 * N * sizeof(double));
    for (int i = 0; i < 6 * N; i++)
        a[i] = i * 13 % 101;
#pragma acc data copyin(a[0 : 6 * N]) copyout(turn[0 : 6 * N])
    turned(N, a, turn);
    sum_of("turned", 6 * N * sizeof(double), (unsigned char *)turn);
    return 0;
}
