// options: -fopenmp
// Collapsed nests whose inner bounds depend on outer variables: triangles, trapezoids, empty rows, steps, three
// loops, pointers, and what variables hold behind them.
#include <stdio.h>

#define PRAGMA(...) PRAGMA_(__VA_ARGS__)
#define PRAGMA_(...) _Pragma(#__VA_ARGS__)

enum { N = 24, M = 64 };
static int seen[N][M];
static long total, weighted;

static void clear(void)
{
    total = weighted = 0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++)
            seen[i][j] = 0;
}

// Which iterations there were: all of them once, and a number that depends on which.
static void show(const char *what)
{
    long most = 0, sum = 0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++) {
            most = seen[i][j] > most ? seen[i][j] : most;
            sum = (sum * 31 + seen[i][j] * (i * M + j + 1)) % 1000003;
        }
    printf("%s: %ld %ld %ld %ld\n", what, total, weighted, most, sum);
    clear();
}

#define VISIT(I, J)                                                                                             \
    do {                                                                                                        \
        total++;                                                                                                \
        weighted += 3 * (I) + 7 * (J);                                                                          \
        PRAGMA(omp atomic)                                                                                      \
        seen[I][J]++;                                                                                           \
    } while (0)

#define NEST(DIRECTIVE, FIRST, CONDITION, STEP)                                                                 \
    do {                                                                                                        \
        PRAGMA(omp DIRECTIVE collapse(2) reduction(+ : total, weighted))                                        \
        for (int i = 0; i < N; i++)                                                                             \
            for (int j = FIRST; CONDITION; STEP)                                                                \
                VISIT(i, j);                                                                                    \
        show(#DIRECTIVE ": " #FIRST "; " #CONDITION "; " #STEP);                                                \
    } while (0)

static void shapes(int n, int shift)
{
    NEST(parallel for, 0, j < i, j++);
    NEST(parallel for, 0, j <= i, j++);
    NEST(parallel for, i, j < n, j++);
    NEST(parallel for, i + 1, j < n, j++);
    NEST(parallel for, n - i, j < n + i, j++);
    NEST(parallel for, 2 * i + 1, j < 40, j++);
    NEST(parallel for, i, j < 2 * i, j += 3);
    NEST(parallel for, i * 2 + shift, j >= i, j -= 2);
    NEST(parallel for, 40 - i, j > 2 * i - shift, j--);
    NEST(parallel for, i, j != n, j++);
    NEST(parallel for, 20, j < i, j++);
    NEST(parallel for, i, 30 > j, j = j + 4);
    NEST(parallel for, 0, j < -i, j++);
    NEST(parallel for simd, i, j < n, j++);
    NEST(simd, i, j < n, j++);
}

static void kinds_of_variables(void)
{
#pragma omp parallel for collapse(2) reduction(+ : total, weighted)
    for (unsigned i = 0; i < N; i++)
        for (unsigned j = i; j < 30; j++)
            VISIT(i, j);
    show("unsigned");
#pragma omp parallel for collapse(2) reduction(+ : total, weighted)
    for (unsigned char i = 200; i < 200 + N; i++)
        for (long long j = 250 - i; j > 10; j -= 3)
            VISIT(i - 200, j);
    show("of two types");
    static char text[N];
#pragma omp parallel for collapse(2) reduction(+ : total, weighted)
    for (char *p = text; p < text + N; p++)
        for (char *q = p; q < text + N; q += 2)
            VISIT(p - text, q - text);
    show("pointers");
#pragma omp parallel for collapse(3) reduction(+ : total, weighted)
    for (int i = 0; i < N; i++)
        for (int j = i; j < N; j += 2)
            for (int k = j; k < 2 * j; k++) {
                total += k;
                VISIT(i, k);
            }
    show("a chain of three");
#pragma omp parallel for collapse(4) reduction(+ : total, weighted)
    for (int a = 0; a < 3; a++)
        for (int i = 0; i < 8; i++)
            for (int b = 0; b < 2; b++)
                for (int j = 0; j < 3 * i - 5; j++)
                    VISIT(i, j + 30 * b + a);
    show("between boxes");
#pragma omp parallel for collapse(3) reduction(+ : total, weighted)
    for (int i = 0; i < 6; i++)
        for (int j = 5; j < i; j++)
            for (int k = j; k < 40; k++)
                VISIT(i, k);
    show("mostly empty");
}

static void last_values(int n)
{
    int i, j, k, x = -1, l = 100;
#pragma omp parallel for collapse(2) lastprivate(i, j, x)
    for (i = 0; i < n; i++)
        for (j = 2 * i; j < 2 * n - 1; j++)
            x = 1000 * i + j;
    printf("%d %d %d\n", i, j, x);
#pragma omp parallel for collapse(2) lastprivate(x)
    for (i = 0; i < n; i++)
        for (int m = 5; m > i; m--)
            x = 1000 * i + m;
    printf("%d\n", x);
#pragma omp simd collapse(2) lastprivate(k, j)
    for (k = 0; k < n; k += 2)
        for (j = k; j < n + k; j += 3)
            x = j;
    printf("%d %d %d\n", k, j, x);
    (void)l;
}

static void tasks(int n)
{
    long sum = 0;
    int last = -1;
#pragma omp parallel
#pragma omp single
    {
#pragma omp taskloop collapse(2) reduction(+ : sum) num_tasks(5) lastprivate(last)
        for (int i = 0; i < n; i++)
            for (int j = i; j < n + 3; j++) {
                sum += 100 * i + j;
                last = 100 * i + j;
            }
    }
    printf("%ld %d\n", sum, last);
#pragma omp parallel
#pragma omp single
    {
#pragma omp taskloop collapse(3) grainsize(4) reduction(+ : sum) default(none) firstprivate(n)
        for (int i = n; i > 0; i--)
            for (int j = 0; j < 2; j++)
                for (int k = i - 2; k < 4; k++)
                    sum += 100 * i + 10 * j + k;
    }
    printf("%ld\n", sum);
}

int main(void)
{
    shapes(30, 3);
    kinds_of_variables();
    last_values(9);
    tasks(9);
    return 0;
}
