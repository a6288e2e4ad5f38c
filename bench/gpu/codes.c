// Loops of many kinds of codes, as one writes them with OpenACC for data that is on the device: networks, pictures, finance,
// particles, fields, small linear algebra. Names and sizes are those of codes.cu. Prints a checksum for each.
//
//     codes [ROUNDS]
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "codes.h"
#include "checked.h"

typedef struct vec3 vec3;
typedef struct vec4 vec4;

static void layer_norm(int rows, int n, const float *restrict x, const float *restrict scale, float *restrict y)
{
#pragma acc parallel loop gang present(x, scale, y)
    for (int i = 0; i < rows; i++) {
        float sum = 0, squares = 0;
#pragma acc loop vector reduction(+:sum, squares)
        for (int j = 0; j < n; j++) {
            sum += x[i * n + j];
            squares += x[i * n + j] * x[i * n + j];
        }
        float mean = sum / n, factor = 1 / sqrtf(squares / n - mean * mean + 1e-5f);
#pragma acc loop vector
        for (int j = 0; j < n; j++)
            y[i * n + j] = (x[i * n + j] - mean) * factor * scale[j] + 0.5f;
    }
}

static void batch_norm(const float *restrict x, float *restrict y)
{
#pragma acc parallel loop gang vector_length(256) present(x, y)
    for (int k = 0; k < CHANNELS; k++) {
        float sum = 0, squares = 0;
#pragma acc loop vector collapse(2) reduction(+:sum, squares)
        for (int m = 0; m < IMAGES; m++)
            for (int p = 0; p < PIXELS; p++) {
                float value = x[(m * CHANNELS + k) * PIXELS + p];
                sum += value;
                squares += value * value;
            }
        float count = IMAGES * PIXELS, mean = sum / count, factor = 1 / sqrtf(squares / count - mean * mean + 1e-5f);
#pragma acc loop vector collapse(2)
        for (int m = 0; m < IMAGES; m++)
            for (int p = 0; p < PIXELS; p++)
                y[(m * CHANNELS + k) * PIXELS + p] = (x[(m * CHANNELS + k) * PIXELS + p] - mean) * factor;
    }
}

static void channels(int n, const float *restrict x, const float *restrict w, float *restrict y)
{
#pragma acc parallel loop collapse(3) present(x, w, y)
    for (int k = 0; k < CHANNELS; k++)
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++) {
                float sum = 0;
                for (int from = 0; from < CHANNELS; from++)
                    for (int di = 0; di < 3; di++)
                        for (int dj = 0; dj < 3; dj++)
                            sum += w[((k * CHANNELS + from) * 3 + di) * 3 + dj] * x[(from * n + i + di - 1) * n + j + dj - 1];
                y[(k * n + i) * n + j] = fmaxf(sum, 0);
            }
}

static void pool(int images, int n, const float *restrict x, float *restrict y)
{
#pragma acc parallel loop collapse(3) present(x, y)
    for (int m = 0; m < images; m++)
        for (int i = 0; i < n / 2; i++)
            for (int j = 0; j < n / 2; j++) {
                float most = -INFINITY;
                for (int di = 0; di < 2; di++)
                    for (int dj = 0; dj < 2; dj++)
                        most = fmaxf(most, x[(m * n + 2 * i + di) * n + 2 * j + dj]);
                y[(m * (n / 2) + i) * (n / 2) + j] = most;
            }
}

static void scores(int n, const float *restrict q, const float *restrict k, float *restrict s)
{
#pragma acc parallel loop collapse(2) present(q, k, s)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            float sum = 0;
            for (int d = 0; d < DEPTH; d++)
                sum += q[i * DEPTH + d] * k[j * DEPTH + d];
            s[i * n + j] = sum * 0.125f;
        }
}

static void enlarge(int n, const float *restrict x, float *restrict y)
{
    int wide = 2 * n;
#pragma acc parallel loop collapse(2) present(x, y)
    for (int i = 0; i < wide; i++)
        for (int j = 0; j < wide; j++) {
            float r = i * 0.5f * (n - 1) / n, s = j * 0.5f * (n - 1) / n;
            int p = r, q = s;
            float dr = r - p, ds = s - q;
            y[i * wide + j] = (1 - dr) * ((1 - ds) * x[p * n + q] + ds * x[p * n + q + 1]) +
                              dr * ((1 - ds) * x[(p + 1) * n + q] + ds * x[(p + 1) * n + q + 1]);
        }
}

static void sobel(int n, const unsigned char *restrict x, unsigned char *restrict y)
{
#pragma acc parallel loop collapse(2) present(x, y)
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++) {
            int a = x[(i - 1) * n + j + 1] + 2 * x[i * n + j + 1] + x[(i + 1) * n + j + 1] - x[(i - 1) * n + j - 1] -
                    2 * x[i * n + j - 1] - x[(i + 1) * n + j - 1];
            int b = x[(i + 1) * n + j - 1] + 2 * x[(i + 1) * n + j] + x[(i + 1) * n + j + 1] - x[(i - 1) * n + j - 1] -
                    2 * x[(i - 1) * n + j] - x[(i - 1) * n + j + 1];
            int sum = abs(a) + abs(b);
            y[i * n + j] = sum > 255 ? 255 : sum;
        }
}

static void bilateral(int n, const float *restrict x, float *restrict y)
{
#pragma acc parallel loop gang present(x, y)
    for (int i = 2; i < n - 2; i++)
#pragma acc loop vector
        for (int j = 2; j < n - 2; j++) {
            float middle = x[i * n + j], sum = 0, weights = 0;
            for (int k = -2; k <= 2; k++)
                for (int l = -2; l <= 2; l++) {
                    float value = x[(i + k) * n + j + l], by = value - middle;
                    float weight = expf(-0.2f * (k * k + l * l) - 8 * by * by);
                    sum += weight * value;
                    weights += weight;
                }
            y[i * n + j] = sum / weights;
        }
}

#define ORDER(p, q)                                                        \
    do {                                                                   \
        float least = fminf(v[p], v[q]);                                   \
        v[q] = fmaxf(v[p], v[q]);                                          \
        v[p] = least;                                                      \
    } while (0)

static void median(int n, const float *restrict x, float *restrict y)
{
#pragma acc parallel loop collapse(2) present(x, y)
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++) {
            float v[9];
            for (int k = 0; k < 3; k++)
                for (int l = 0; l < 3; l++)
                    v[3 * k + l] = x[(i + k - 1) * n + j + l - 1];
            ORDER(1, 2); ORDER(4, 5); ORDER(7, 8); ORDER(0, 1); ORDER(3, 4); ORDER(6, 7); ORDER(1, 2); ORDER(4, 5); ORDER(7, 8);
            ORDER(0, 3); ORDER(5, 8); ORDER(4, 7); ORDER(3, 6); ORDER(1, 4); ORDER(2, 5); ORDER(4, 7); ORDER(4, 2); ORDER(6, 4);
            ORDER(4, 2);
            y[i * n + j] = v[4];
        }
}

static void life(int n, const int *restrict x, int *restrict y)
{
#pragma acc parallel loop collapse(2) present(x, y)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            int up = (i + n - 1) % n, down = (i + 1) % n, left = (j + n - 1) % n, right = (j + 1) % n;
            int count = (x[up * n + left] & 1) + (x[up * n + j] & 1) + (x[up * n + right] & 1) + (x[i * n + left] & 1) +
                        (x[i * n + right] & 1) + (x[down * n + left] & 1) + (x[down * n + j] & 1) + (x[down * n + right] & 1);
            y[i * n + j] = count == 3 || (count == 2 && (x[i * n + j] & 1));
        }
}

static void advect(int n, const float *restrict u, const float *restrict v, const float *restrict x, float *restrict y)
{
#pragma acc parallel loop collapse(2) present(u, v, x, y)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            float r = fminf(fmaxf(i - 4 * v[i * n + j], 0), n - 1.001f), s = fminf(fmaxf(j - 4 * u[i * n + j], 0), n - 1.001f);
            int p = (int)r, q = (int)s;
            float dr = r - p, ds = s - q;
            y[i * n + j] = (1 - dr) * ((1 - ds) * x[p * n + q] + ds * x[p * n + q + 1]) +
                           dr * ((1 - ds) * x[(p + 1) * n + q] + ds * x[(p + 1) * n + q + 1]);
        }
}

static void options(int n, const double *restrict x, double *restrict y)
{
#pragma acc parallel loop present(x, y)
    for (int i = 0; i < n; i++) {
        double price = 10 + 20 * x[i], strike = 15 + 10 * x[n + i], time = 0.25 + 9 * x[2 * n + i], root = sqrt(time);
        double d1 = (log(price / strike) + (0.02 + 0.5 * 0.3 * 0.3) * time) / (0.3 * root), d2 = d1 - 0.3 * root;
        y[i] = price * 0.5 * erfc(-d1 * 0.70710678118654752) - strike * exp(-0.02 * time) * 0.5 * erfc(-d2 * 0.70710678118654752);
    }
}

static void walkers(int n, const int *restrict seed, float *restrict y)
{
#pragma acc parallel loop present(seed, y)
    for (int i = 0; i < n; i++) {
        unsigned state = seed[i] * 2654435761u + 1;
        int inside = 0;
        for (int k = 0; k < DRAWS; k++) {
            state ^= state << 13;
            state ^= state >> 17;
            state ^= state << 5;
            float u = (state & 0xffff) / 65536.0f, v = (state >> 16) / 65536.0f;
            if (u * u + v * v < 1)
                inside++;
        }
        y[i] = 4.0f * inside / DRAWS;
    }
}

static void compare_exchange(int n, int by, int block, float *restrict y, const float *restrict x)
{
#pragma acc parallel loop present(x, y)
    for (int i = 0; i < n; i++) {
        int other = i ^ by;
        float mine = x[i], theirs = x[other];
        int rising = (i & block) == 0, first = i < other;
        y[i] = rising == first ? fminf(mine, theirs) : fmaxf(mine, theirs);
    }
}

static void normalise(int n, const vec4 *restrict x, vec4 *restrict y)
{
#pragma acc parallel loop present(x, y)
    for (int i = 0; i < n; i++) {
        float factor = 1 / sqrtf(x[i].x * x[i].x + x[i].y * x[i].y + x[i].z * x[i].z + x[i].w * x[i].w);
        y[i].x = x[i].x * factor;
        y[i].y = x[i].y * factor;
        y[i].z = x[i].z * factor;
        y[i].w = x[i].w * factor;
    }
}

static void ell(int n, const int *restrict column, const float *restrict value, const float *restrict x, float *restrict y)
{
#pragma acc parallel loop present(column, value, x, y)
    for (int i = 0; i < n; i++) {
        float sum = 0;
        for (int k = 0; k < PER_ROW; k++)
            sum += value[k * n + i] * x[column[k * n + i]];
        y[i] = sum;
    }
}

static void tridiagonal(int systems, int n, const float *restrict d, float *restrict factor, float *restrict y)
{
#pragma acc parallel loop present(d, factor, y)
    for (int j = 0; j < systems; j++) {
        factor[j] = -0.25f;
        y[j] = 0.25f * d[j];
        for (int i = 1; i < n; i++) {
            float by = 1 / (4 + factor[(i - 1) * systems + j]);
            factor[i * systems + j] = -by;
            y[i * systems + j] = (d[i * systems + j] + y[(i - 1) * systems + j]) * by;
        }
        for (int i = n - 2; i >= 0; i--)
            y[i * systems + j] -= factor[i * systems + j] * y[(i + 1) * systems + j];
    }
}

static void wave(int n, const float *restrict x, const float *restrict before, float *restrict y)
{
#pragma acc parallel loop collapse(3) present(x, before, y)
    for (int i = 4; i < n - 4; i++)
        for (int j = 4; j < n - 4; j++)
            for (int k = 4; k < n - 4; k++) {
                int at = (i * n + j) * n + k;
                float sum = -8.5f * x[at];
                sum += 1.6f * (x[at - 1] + x[at + 1] + x[at - n] + x[at + n] + x[at - n * n] + x[at + n * n]);
                sum -= 0.2f * (x[at - 2] + x[at + 2] + x[at - 2 * n] + x[at + 2 * n] + x[at - 2 * n * n] + x[at + 2 * n * n]);
                sum += 0.025f * (x[at - 3] + x[at + 3] + x[at - 3 * n] + x[at + 3 * n] + x[at - 3 * n * n] + x[at + 3 * n * n]);
                sum -= 0.002f * (x[at - 4] + x[at + 4] + x[at - 4 * n] + x[at + 4 * n] + x[at - 4 * n * n] + x[at + 4 * n * n]);
                y[at] = 2 * x[at] - before[at] + 0.1f * sum;
            }
}

static void magnetic(int n, const float *restrict ex, const float *restrict ey, const float *restrict ez, float *restrict h)
{
    int cells = n * n * n;
#pragma acc parallel loop collapse(3) present(ex, ey, ez, h)
    for (int i = 0; i < n - 1; i++)
        for (int j = 0; j < n - 1; j++)
            for (int k = 0; k < n - 1; k++) {
                int at = (i * n + j) * n + k;
                h[at] = 0.5f * (ey[at + 1] - ey[at] - ez[at + n] + ez[at]);
                h[cells + at] = 0.5f * (ez[at + n * n] - ez[at] - ex[at + 1] + ex[at]);
                h[2 * cells + at] = 0.5f * (ex[at + n] - ex[at] - ey[at + n * n] + ey[at]);
            }
}

static void rows_by_columns(int n, const float *restrict a, const float *restrict b, float *restrict c)
{
#pragma acc parallel loop gang present(a, b, c)
    for (int i = 0; i < n; i++)
#pragma acc loop vector
        for (int j = 0; j < n; j++) {
            float sum = 0;
#pragma acc loop seq
            for (int k = 0; k < n; k++)
                sum += a[i * n + k] * b[k * n + j];
            c[i * n + j] = sum;
        }
}

static void tiled_product(int n, const double *restrict a, const double *restrict b, double *restrict c)
{
#pragma acc parallel loop tile(16, 16) present(a, b, c)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double sum = 0;
            for (int k = 0; k < n; k++)
                sum += a[i * n + k] * b[k * n + j];
            c[i * n + j] = sum;
        }
}

static void pairs(int n, const int *restrict list, const vec3 *restrict at, vec3 *restrict force)
{
#pragma acc parallel loop present(list, at, force)
    for (int i = 0; i < n; i++) {
        vec3 f = { 0, 0, 0 };
        for (int k = 0; k < NEIGHBOURS; k++) {
            int j = list[i * NEIGHBOURS + k] % n;
            float dx = at[i].x - at[j].x, dy = at[i].y - at[j].y, dz = at[i].z - at[j].z, r2 = dx * dx + dy * dy + dz * dz;
            if (r2 < 0.25f && j != i) {
                float by = 1 / (r2 + 0.01f), by6 = by * by * by, size = by6 * (by6 - 0.5f) * by * 1e-6f;
                f.x += dx * size;
                f.y += dy * size;
                f.z += dz * size;
            }
        }
        force[i] = f;
    }
}

static void small_factors(int n, const double *restrict a, double *restrict l)
{
#pragma acc parallel loop present(a, l)
    for (int m = 0; m < n; m++) {
        double t[4][4];
        for (int i = 0; i < 4; i++)
            for (int j = 0; j <= i; j++) {
                double sum = a[m * 16 + i * 4 + j] + (i == j) * 8;
                for (int k = 0; k < j; k++)
                    sum -= t[i][k] * t[j][k];
                t[i][j] = i == j ? sqrt(sum) : sum / t[j][j];
            }
        for (int i = 0; i < 4; i++)
            for (int j = 0; j < 4; j++)
                l[m * 16 + i * 4 + j] = j <= i ? t[i][j] : 0;
    }
}

static void gradient(int n, double (*restrict x)[n], double (*restrict y)[n])
{
#pragma acc kernels present(x[0:n][0:n], y[0:n][0:n])
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++) {
            double dx = x[i][j + 1] - x[i][j - 1], dy = x[i + 1][j] - x[i - 1][j];
            y[i][j] = sqrt(dx * dx + dy * dy);
        }
}

static void tiled_stencil(int n, const float *restrict x, float *restrict y)
{
#pragma acc parallel loop tile(8, 32) present(x, y)
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
            y[i * n + j] = 0.2f * (x[i * n + j] + x[(i - 1) * n + j] + x[(i + 1) * n + j] + x[i * n + j - 1] + x[i * n + j + 1]);
}

static void red_cells(int n, const float *restrict f, float *restrict u)
{
#pragma acc parallel loop gang present(f, u)
    for (int i = 1; i < n - 1; i++)
#pragma acc loop vector
        for (int j = 1 + i % 2; j < n - 1; j += 2)
            u[i * n + j] = 0.25f * (u[(i - 1) * n + j] + u[(i + 1) * n + j] + u[i * n + j - 1] + u[i * n + j + 1] + f[i * n + j]);
}

static void words(int n, const char *restrict text, char *restrict found)
{
#pragma acc parallel loop present(text, found)
    for (int i = 0; i < n - 4; i++) {
        static const char word[4] = { 3, 1, 0, 0 };
        int same = 1;
        for (int k = 0; k < 4; k++)
            if ((text[i + k] & 3) != word[k]) {
                same = 0;
                break;
            }
        found[i] = same;
    }
}

static void search(int n, int entries, const float *restrict table, const float *restrict x, int *restrict y)
{
#pragma acc parallel loop present(table, x, y)
    for (int i = 0; i < n; i++) {
        int low = 0, high = entries;
        while (low < high) {
            int middle = (low + high) / 2;
            if (table[middle] < x[i])
                low = middle + 1;
            else
                high = middle;
        }
        y[i] = low;
    }
}

static void centres(int n, const float *restrict x, const int *restrict of, float *restrict sum)
{
#pragma acc parallel loop present(x, of, sum)
    for (int i = 0; i < n; i++) {
        int k = of[i] % CENTRES;
        for (int d = 0; d < 3; d++) {
#pragma acc atomic update
            sum[k * 3 + d] += x[d * n + i];
        }
    }
}

static void divisors(int n, const unsigned *restrict x, unsigned *restrict y)
{
#pragma acc parallel loop present(x, y)
    for (int i = 0; i < n - 1; i++) {
        unsigned a = x[i] | 1, b = x[i + 1] | 1;
        while (b != 0) {
            unsigned rest = a % b;
            a = b;
            b = rest;
        }
        y[i] = a;
    }
}

int main(int argc, char **argv)
{
    int rounds = argc > 1 ? atoi(argv[1]) : 1;
    float *a = malloc(sizeof(float) * N), *b = malloc(sizeof(float) * N), *c = malloc(sizeof(float) * N);
    float *work = malloc(sizeof(float) * SYSTEMS * UNKNOWNS), *table = malloc(sizeof(float) * TABLE);
    int *at = malloc(sizeof(int) * N);
    double *wide = malloc(sizeof(double) * (N / 2));
    unsigned state = 1;
    for (int i = 0; i < N; i++) {
        state = state * 1664525u + 1013904223u;
        a[i] = (state >> 8) * 0x1p-24f;
        b[i] = 1.0f - a[i];
        at[i] = (state >> 4) % ROWS;
        wide[i / 2] = a[i];
    }
    for (int i = 0; i < TABLE; i++)
        table[i] = (float)i / TABLE;
    double *out = (double *)c;
#pragma acc data copyin(a[0:N], b[0:N], at[0:N], wide[0:N / 2], table[0:TABLE]) copyout(c[0:N]) create(work[0:SYSTEMS * UNKNOWNS])
    {
        CHECKED("layer_norm", float, TOKENS * WIDTH, layer_norm(TOKENS, WIDTH, a, b, c));
        CHECKED("batch_norm", float, IMAGES * CHANNELS * PIXELS, batch_norm(a, c));
        CHECKED("channels", float, CHANNELS * PICTURE * PICTURE, channels(PICTURE, a, b, c));
        CHECKED("pool", float, 16 * (PLANE / 4) * (PLANE / 4), pool(16, PLANE / 2, a, c));
        CHECKED("scores", float, HEADS *HEADS, scores(HEADS, a, b, c));
        CHECKED("enlarge", float, PLANE *PLANE, enlarge(PLANE / 2, a, c));
        CHECKED("sobel", unsigned char, SIDE * SIDE, sobel(SIDE, (unsigned char *)at, (unsigned char *)c));
        CHECKED("bilateral", float, PLANE *PLANE, bilateral(PLANE, a, c));
        CHECKED("median", float, PLANE *PLANE, median(PLANE, a, c));
        CHECKED("life", int, PLANE *PLANE, life(PLANE, at, (int *)c));
        CHECKED("advect", float, PLANE *PLANE, advect(PLANE, a, b, a + PLANE * PLANE, c));
        CHECKED("options", double, OPTIONS, options(OPTIONS, wide, out));
        CHECKED("walkers", float, WALKERS, walkers(WALKERS, at, c));
        CHECKED("compare_exchange", float, N, compare_exchange(N, 1 << 9, 1 << 12, c, a));
        CHECKED("normalise", float, N, normalise(N / 4, (vec4 *)a, (vec4 *)c));
        CHECKED("ell", float, ROWS, ell(ROWS, at, a, b, c));
        CHECKED("tridiagonal", float, SYSTEMS *UNKNOWNS, tridiagonal(SYSTEMS, UNKNOWNS, a, work, c));
        CHECKED("wave", float, EDGE *EDGE *EDGE, wave(EDGE, a, b, c));
        CHECKED("magnetic", float, EDGE *EDGE *EDGE, magnetic(256, a, b, a + 256 * 256 * 256, c));
        CHECKED("rows_by_columns", float, PRODUCT *PRODUCT, rows_by_columns(PRODUCT, a, b, c));
        CHECKED("tiled_product", double, PRODUCT *PRODUCT, tiled_product(PRODUCT, wide, wide + PRODUCT, out));
        CHECKED("pairs", float, 3 * BODIES, pairs(BODIES, at, (vec3 *)a, (vec3 *)c));
        CHECKED("small_factors", double, 16 * SMALL, small_factors(SMALL, wide, out));
        CHECKED("gradient", double, PLANE *PLANE, gradient(PLANE, (double(*)[PLANE])wide, (double(*)[PLANE])c));
        CHECKED("tiled_stencil", float, SIDE *SIDE, tiled_stencil(SIDE, a, c));
        CHECKED("red_cells", float, PLANE *PLANE, red_cells(PLANE, a, c));
        CHECKED("words", char, N, words(N, (char *)at, (char *)c));
        CHECKED("search", int, N / 4, search(N / 4, TABLE, table, a, (int *)c));
        CHECKED("centres", float, 3 * CENTRES, centres(POINTS, a, at, c));
        CHECKED("divisors", unsigned, N / 4, divisors(N / 4, (unsigned *)at, (unsigned *)c));
    }
    return 0;
}
