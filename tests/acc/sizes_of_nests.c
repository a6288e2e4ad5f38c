/* Merged nests whose sides are no multiples of what threads execute together, long and thin, with few rows and
   few columns: products, of which a thread executes rows by columns, and transpositions in squares. */
#include <stdio.h>
#include <stdlib.h>

static unsigned *numbers(size_t count, unsigned factor)
{
    unsigned *a = malloc(count * sizeof *a);
    for (size_t i = 0; i < count; i++)
        a[i] = (unsigned)i * factor ^ (unsigned)i >> 7;
    return a;
}

static int product(int n, int m, int l)
{
    unsigned *a = numbers((size_t)n * l, 2654435761u), *b = numbers((size_t)l * m, 40503u), *c = numbers((size_t)n * m, 7);
#pragma acc parallel loop collapse(2) copyin(a[0:n * l], b[0:l * m]) copyout(c[0:n * m])
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            unsigned sum = 0;
            for (int k = 0; k < l; k++)
                sum += a[i * l + k] * b[k * m + j];
            c[i * m + j] = sum;
        }
    int wrong = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            unsigned sum = 0;
            for (int k = 0; k < l; k++)
                sum += a[i * l + k] * b[k * m + j];
            wrong += c[i * m + j] != sum;
        }
    free(a), free(b), free(c);
    return wrong;
}

/* Several products beside each other, whose elements are summed up where they are. */
static int products(int p, int n, int m, int l)
{
    unsigned *a = numbers((size_t)p * n * l, 2654435761u), *b = numbers((size_t)p * l * m, 40503u);
    unsigned(*c)[n][m] = malloc((size_t)p * sizeof *c);
#pragma acc kernels copyin(a[0:p * n * l], b[0:p * l * m]) copyout(c[0:p])
    for (int h = 0; h < p; h++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++) {
                c[h][i][j] = h + 5;
                for (int k = 0; k < l; k++)
                    c[h][i][j] += a[(h * n + i) * l + k] * b[(h * l + k) * m + j];
            }
    int wrong = 0;
    for (int h = 0; h < p; h++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++) {
                unsigned sum = h + 5;
                for (int k = 0; k < l; k++)
                    sum += a[(h * n + i) * l + k] * b[(h * l + k) * m + j];
                wrong += c[h][i][j] != sum;
            }
    free(a), free(b), free(c);
    return wrong;
}

static int turned(int n, int m, int l)
{
    unsigned *a = numbers((size_t)n * m * l, 2654435761u), *c = numbers((size_t)n * m * l, 7), *before = numbers((size_t)n * m * l, 7);
#pragma acc parallel loop collapse(3) copyin(a[0:n * m * l]) copy(c[0:n * m * l])
    for (int x = 0; x < n; x++)
        for (int y = 0; y < m; y++)
            for (int z = 0; z < l; z++)
                c[(z * n + x) * m + y] += a[(x * m + y) * l + z];
    int wrong = 0;
    for (int x = 0; x < n; x++)
        for (int y = 0; y < m; y++)
            for (int z = 0; z < l; z++)
                wrong += c[(z * n + x) * m + y] != before[(z * n + x) * m + y] + a[(x * m + y) * l + z];
    free(a), free(c), free(before);
    return wrong;
}

static int turned_bytes(int n, int m)
{
    unsigned char(*a)[m] = malloc((size_t)n * m), (*c)[n] = malloc((size_t)n * m);
    for (int i = 0; i < n * m; i++)
        a[0][i] = i * 7 >> 3, c[0][i] = 0;
#pragma acc kernels copyin(a[0:n]) copyout(c[0:m])
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            c[j][i] = a[i][j];
    int wrong = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            wrong += c[j][i] != a[i][j];
    free(a), free(c);
    return wrong;
}

int main(void)
{
    printf("%d %d %d %d\n", product(519, 517, 3), product(66001, 4, 2), product(3, 90001, 2), product(2048, 129, 1));
    printf("%d %d %d\n", products(3, 301, 299, 2), products(7, 211, 200, 0), products(1, 40, 30, 3));
    printf("%d %d %d %d\n", turned(3, 133, 131), turned(5, 64, 257), turned(1, 65, 700), turned(2, 9, 9));
    printf("%d %d %d\n", turned_bytes(321, 259), turned_bytes(64, 1025), turned_bytes(3, 3));
    return 0;
}
