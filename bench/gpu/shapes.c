// Loops that every course has, with sizes that are no powers of two, long and thin, few and many, and that
// are known at run time only. Names and sizes are those of shapes.cu. Prints a checksum for each.
//
//     shapes [ROUNDS]
#include <complex.h>
#include <stdio.h>
#include <stdlib.h>

#include "shapes.h"
#include "checked.h"

static void transposed_doubles(int n, int m, const double *restrict a, double *restrict c)
{
#pragma acc parallel loop collapse(2) present(a, c)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            c[(size_t)j * n + i] = a[(size_t)i * m + j];
}

static void transposed_bytes(int n, int m, const unsigned char (*restrict a)[m], unsigned char (*restrict c)[n])
{
#pragma acc kernels present(a, c)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            c[j][i] = a[i][j];
}

static void swapped_axes(int nx, int ny, int nz, const float *restrict a, float *restrict c)
{
#pragma acc parallel loop collapse(3) present(a, c)
    for (int x = 0; x < nx; x++)
        for (int y = 0; y < ny; y++)
            for (int z = 0; z < nz; z++)
                c[(z * nx + x) * ny + y] = a[(x * ny + y) * nz + z];
}

static void product(int n, const float *restrict a, const float *restrict b, float *restrict c)
{
#pragma acc parallel loop collapse(2) present(a, b, c)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            float sum = 0;
            for (int k = 0; k < n; k++)
                sum += a[i * n + k] * b[k * n + j];
            c[i * n + j] = sum;
        }
}

static void product_of_doubles(int n, int m, int l, const double (*restrict a)[l], const double (*restrict b)[m],
                               double (*restrict c)[m])
{
#pragma acc kernels present(a, b, c)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            c[i][j] = 0;
            for (int k = 0; k < l; k++)
                c[i][j] += a[i][k] * b[k][j];
        }
}

static void thin_product(int n, int m, int l, const float *restrict a, const float *restrict b, float *restrict c)
{
#pragma acc parallel loop gang present(a, b, c)
    for (int i = 0; i < n; i++)
#pragma acc loop vector
        for (int j = 0; j < m; j++) {
            float sum = 0;
#pragma acc loop seq
            for (int k = 0; k < l; k++)
                sum += a[i * l + k] * b[k * m + j];
            c[i * m + j] = sum;
        }
}

static void by_transposed(int n, int m, int l, const float *restrict a, const float *restrict b, float *restrict c)
{
#pragma acc parallel loop collapse(2) present(a, b, c)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            float sum = 0;
            for (int k = 0; k < l; k++)
                sum += a[i * l + k] * b[j * l + k];
            c[i * m + j] = sum;
        }
}

static void gram(int n, const float (*restrict a)[FEW], float (*restrict c)[FEW])
{
#pragma acc parallel loop gang collapse(2) present(a, c)
    for (int i = 0; i < FEW; i++)
        for (int j = 0; j < FEW; j++) {
            float sum = 0;
#pragma acc loop vector reduction(+ : sum)
            for (int k = 0; k < n; k++)
                sum += a[k][i] * a[k][j];
            c[i][j] = sum;
        }
}

static void rows_times(int n, int m, const float *restrict a, const float *restrict x, float *restrict y)
{
#pragma acc parallel loop gang present(a, x, y)
    for (int i = 0; i < n; i++) {
        float sum = 0;
#pragma acc loop vector reduction(+ : sum)
        for (int j = 0; j < m; j++)
            sum += a[i * m + j] * x[j];
        y[i] = sum;
    }
}

static void columns_times(int n, int m, const float *restrict a, const float *restrict x, float *restrict y)
{
#pragma acc parallel loop present(a, x, y)
    for (int j = 0; j < m; j++) {
        float sum = 0;
        for (int i = 0; i < n; i++)
            sum += a[i * m + j] * x[i];
        y[j] = sum;
    }
}

static void columns_by_lanes(int n, int m, const float *restrict a, const float *restrict x, float *restrict y)
{
#pragma acc parallel loop gang present(a, x, y)
    for (int j = 0; j < m; j++) {
        float sum = 0;
#pragma acc loop vector reduction(+ : sum)
        for (int i = 0; i < n; i++)
            sum += a[i * m + j] * x[i];
        y[j] = sum;
    }
}

static void wide_rows(int n, int m, const float *restrict a, float *restrict c)
{
#pragma acc parallel loop gang present(a, c)
    for (int i = 0; i < n; i++) {
        float sum = 0, most = 0;
#pragma acc loop vector reduction(+ : sum) reduction(max : most)
        for (int j = 0; j < m; j++) {
            sum += a[(long)i * m + j];
            most = fmaxf(most, a[(long)i * m + j]);
        }
        c[i] = sum / most;
    }
}

static void short_rows(int n, int m, const float *restrict a, float *restrict c)
{
#pragma acc parallel loop present(a, c)
    for (int i = 0; i < n; i++) {
        float square = 0;
        for (int j = 0; j < m; j++)
            square += a[i * m + j] * a[i * m + j];
        float by = 1 / sqrtf(square);
        for (int j = 0; j < m; j++)
            c[i * m + j] = a[i * m + j] * by;
    }
}

static void middle(int n, int m, int l, const float *restrict a, float *restrict c)
{
#pragma acc parallel loop collapse(2) present(a, c)
    for (int i = 0; i < n; i++)
        for (int k = 0; k < l; k++) {
            float sum = 0;
            for (int j = 0; j < m; j++)
                sum += a[(i * m + j) * l + k];
            c[i * l + k] = sum / m;
        }
}

static void seven_points(const double (*restrict a)[EDGE][EDGE], double (*restrict c)[EDGE][EDGE])
{
#pragma acc kernels present(a, c)
    for (int z = 1; z < EDGE - 1; z++)
        for (int y = 1; y < EDGE - 1; y++)
            for (int x = 1; x < EDGE - 1; x++)
                c[z][y][x] = 0.4 * a[z][y][x] + 0.1 * (a[z - 1][y][x] + a[z + 1][y][x] + a[z][y - 1][x] + a[z][y + 1][x] +
                                                       a[z][y][x - 1] + a[z][y][x + 1]);
}

static void five_by_five(int n, int m, const float *restrict a, const float *restrict weights, float *restrict c)
{
#pragma acc parallel loop collapse(2) present(a, weights, c)
    for (int y = 2; y < n - 2; y++)
        for (int x = 2; x < m - 2; x++) {
            float sum = 0;
            for (int dy = -2; dy <= 2; dy++)
                for (int dx = -2; dx <= 2; dx++)
                    sum += weights[(dy + 2) * 5 + dx + 2] * a[(y + dy) * m + x + dx];
            c[y * m + x] = sum;
        }
}

static void pooled(int planes, int n, int m, const float *restrict a, float *restrict c)
{
#pragma acc parallel loop collapse(3) present(a, c)
    for (int p = 0; p < planes; p++)
        for (int y = 0; y < n / 2; y++)
            for (int x = 0; x < m / 2; x++) {
                float most = a[(p * n + 2 * y) * m + 2 * x];
                for (int dy = 0; dy < 2; dy++)
                    for (int dx = 0; dx < 2; dx++)
                        if (a[(p * n + 2 * y + dy) * m + 2 * x + dx] > most)
                            most = a[(p * n + 2 * y + dy) * m + 2 * x + dx];
                c[(p * (n / 2) + y) * (m / 2) + x] = most;
            }
}

static void binned(int n, const int *restrict at, unsigned *restrict bins)
{
#pragma acc parallel loop present(at, bins)
    for (int i = 0; i < n; i++) {
        int bin = at[i] % NODES;
#pragma acc atomic update
        bins[bin]++;
    }
}

static void uneven_rows(int n, const int *restrict start, const int *restrict at, const float *restrict values,
                        const float *restrict x, float *restrict y)
{
#pragma acc parallel loop present(start, at, values, x, y)
    for (int row = 0; row < n; row++) {
        float sum = 0;
        for (int k = start[row]; k < start[row + 1]; k++)
            sum += values[k] * x[at[k] & 1048575];
        y[row] = sum;
    }
}

static void gathered(int n, const int *restrict at, const float *restrict a, const float *restrict b, float *restrict c)
{
#pragma acc parallel loop present(at, a, b, c)
    for (int i = 0; i < n; i++)
        c[i] = a[at[i] & 1048575] * b[i];
}

static void planar(int n, const float (*restrict a)[3], float *restrict x, float *restrict y, float *restrict z)
{
#pragma acc parallel loop present(a, x, y, z)
    for (int i = 0; i < n; i++) {
        x[i] = a[i][0];
        y[i] = a[i][1];
        z[i] = a[i][2];
    }
}

static void apart(int n, int m, const float (*restrict a)[12], const float (*restrict b)[12], float *restrict c)
{
#pragma acc parallel loop collapse(2) present(a, b, c)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            float square = 0;
            for (int k = 0; k < 12; k++)
                square += (a[i][k] - b[j][k]) * (a[i][k] - b[j][k]);
            c[i * m + j] = sqrtf(square);
        }
}

static void least_in_rows(int n, int m, const float *restrict a, int *restrict c)
{
#pragma acc parallel loop present(a, c)
    for (int i = 0; i < n; i++) {
        int at = 0;
        float least = a[i * m];
        for (int j = 1; j < m; j++)
            if (a[i * m + j] < least) {
                least = a[i * m + j];
                at = j;
            }
        c[i] = at;
    }
}

static void escaped(int n, int m, int most, int *restrict c)
{
#pragma acc parallel loop collapse(2) present(c)
    for (int y = 0; y < n; y++)
        for (int x = 0; x < m; x++) {
            double re = -2.5 + 3.5 * x / m, im = -1.25 + 2.5 * y / n, u = 0, v = 0;
            int step = 0;
            while (step < most && u * u + v * v <= 4) {
                double next = u * u - v * v + re;
                v = 2 * u * v + im;
                u = next;
                step++;
            }
            c[y * m + x] = step;
        }
}

static void filtered(int n, int taps, const float *restrict a, const float *restrict weights, float *restrict c)
{
#pragma acc parallel loop present(a, weights, c)
    for (int i = 0; i < n; i++) {
        float sum = 0;
        for (int k = 0; k < taps; k++)
            sum += weights[k] * a[i + k];
        c[i] = sum;
    }
}

static void resized(int n, int m, int n2, int m2, const float *restrict a, float *restrict c)
{
#pragma acc parallel loop collapse(2) present(a, c)
    for (int y = 0; y < n2; y++)
        for (int x = 0; x < m2; x++) {
            float v = (float)y * (n - 1) / n2, u = (float)x * (m - 1) / m2;
            int j = (int)v, i = (int)u;
            v -= j;
            u -= i;
            c[y * m2 + x] = (1 - v) * ((1 - u) * a[j * m + i] + u * a[j * m + i + 1]) +
                            v * ((1 - u) * a[(j + 1) * m + i] + u * a[(j + 1) * m + i + 1]);
        }
}

static void normalised(int n, int m, const float *restrict a, const float *restrict scale, float *restrict c)
{
#pragma acc parallel loop gang present(a, scale, c)
    for (int i = 0; i < n; i++) {
        float mean = 0, square = 0;
#pragma acc loop vector reduction(+ : mean)
        for (int j = 0; j < m; j++)
            mean += a[i * m + j];
        mean /= m;
#pragma acc loop vector reduction(+ : square)
        for (int j = 0; j < m; j++)
            square += (a[i * m + j] - mean) * (a[i * m + j] - mean);
        float by = 1 / sqrtf(square / m + 1e-5f);
#pragma acc loop vector
        for (int j = 0; j < m; j++)
            c[i * m + j] = (a[i * m + j] - mean) * by * scale[j];
    }
}

static void summed_down(int n, int m, const double *restrict a, double *restrict c)
{
#pragma acc kernels present(a, c)
    for (int j = 0; j < m; j++) {
        double sum = 0;
        for (int i = 0; i < n; i++) {
            sum += a[(long)i * m + j];
            c[(long)i * m + j] = sum;
        }
    }
}

static void complex_product(int n, const float complex *restrict a, const float complex *restrict b, float complex *restrict c)
{
#pragma acc parallel loop collapse(2) present(a, b, c)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            float complex sum = 0;
            for (int k = 0; k < n; k++)
                sum += a[i * n + k] * b[k * n + j];
            c[i * n + j] = sum;
        }
}

static void red_points(int n, int m, double omega, const double *restrict f, double *restrict u)
{
#pragma acc parallel loop gang present(f, u)
    for (int i = 1; i < n - 1; i++)
#pragma acc loop vector
        for (int j = 1 + i % 2; j < m - 1; j += 2)
            u[i * m + j] += omega * 0.25 *
                            (u[(i - 1) * m + j] + u[(i + 1) * m + j] + u[i * m + j - 1] + u[i * m + j + 1] - f[i * m + j] -
                             4 * u[i * m + j]);
}

static void nine_by_nine(int n, const float (*restrict a)[9][9], const float (*restrict x)[9], float (*restrict y)[9])
{
#pragma acc parallel loop present(a, x, y)
    for (int i = 0; i < n; i++)
        for (int row = 0; row < 9; row++) {
            float sum = 0;
            for (int column = 0; column < 9; column++)
                sum += a[i][row][column] * x[i][column];
            y[i][row] = sum;
        }
}

static int found;

static void matches(int n, const unsigned char *restrict text, const unsigned char *restrict word, int *restrict c)
{
    int count = 0;
#pragma acc parallel loop present(text, word) reduction(+ : count)
    for (int i = 0; i < n - MATCHED; i++) {
        int same = 1;
        for (int k = 0; k < MATCHED; k++)
            if ((text[i + k] & 3) != (word[k] & 3)) {
                same = 0;
                break;
            }
        count += same;
    }
    found += count;
#pragma acc serial present(c)
    c[0] = count;
}

static void looked_up(int n, const double *restrict nodes, const double *restrict values, const double *restrict x,
                      double *restrict c)
{
#pragma acc parallel loop present(nodes, values, x, c)
    for (int i = 0; i < n; i++) {
        int low = 0, high = NODES - 1;
        while (high - low > 1) {
            int middle = (low + high) / 2;
            if (nodes[middle] <= x[i])
                low = middle;
            else
                high = middle;
        }
        double part = (x[i] - nodes[low]) / (nodes[high] - nodes[low]);
        c[i] = values[low] + part * (values[high] - values[low]);
    }
}

static void closest(int n, const float *restrict x, const float *restrict y, const float *restrict z, const float *restrict u,
                    const float *restrict v, const float *restrict w, float *restrict c)
{
#pragma acc parallel loop gang present(x, y, z, u, v, w, c)
    for (int i = 0; i < n; i++) {
        float least = 1e30f;
#pragma acc loop vector reduction(min : least)
        for (int j = 0; j < n; j++) {
            float dx = x[i] - u[j], dy = y[i] - v[j], dz = z[i] - w[j];
            least = fminf(least, dx * dx + dy * dy + dz * dz);
        }
        c[i] = sqrtf(least);
    }
}

static void contracted(int n, int m, int l, const float *restrict a, const float *restrict b, float *restrict c)
{
#pragma acc kernels present(a, b, c)
#pragma acc loop independent collapse(4)
    for (int p = 0; p < n; p++)
        for (int q = 0; q < n; q++)
            for (int i = 0; i < m; i++)
                for (int j = 0; j < m; j++) {
                    float sum = 0;
                    for (int k = 0; k < l; k++)
                        sum += a[(p * m + i) * l + k] * b[(q * l + k) * m + j];
                    c[((p * n + q) * m + i) * m + j] = sum;
                }
}

int main(int argc, char **argv)
{
    int rounds = argc > 1 ? atoi(argv[1]) : 1;
    // What no compiler sees.
    int one = rounds > 0;
    float *a = malloc(sizeof(float) * N), *c = malloc(sizeof(float) * N), *b = a + N / 2;
    double *wide = malloc(sizeof(double) * (N / 2)), *wide_out = (double *)c;
    int *at = malloc(sizeof(int) * N), *ints = (int *)c, *start = malloc(sizeof(int) * 300002);
    double *nodes = malloc(sizeof(double) * 2 * NODES);
    unsigned char *bytes = (unsigned char *)a;
    fill(a, wide, at);
    fill_rows(300001, start);
    for (int i = 0; i < NODES; i++) {
        nodes[i] = (double)i * i / (NODES - 1) / (NODES - 1);
        nodes[NODES + i] = sqrt(i);
    }
#pragma acc data copyin(a[0:N], wide[0:N / 2], at[0:N], start[0:300002], nodes[0:2 * NODES]) copyout(c[0:N])
    {
        CHECKED("transposed_doubles", double, 3001 * 5003, transposed_doubles(3001 * one, 5003 * one, wide, wide_out));
        CHECKED("transposed_bytes", unsigned char, 6001 * 5003,
                transposed_bytes(6001 * one, 5003 * one, (unsigned char (*)[5003 * one])a, (unsigned char (*)[6001 * one])c));
        CHECKED("swapped_axes", float, 201 * 301 * 251, swapped_axes(201 * one, 301 * one, 251 * one, a, c));
        CHECKED("product", float, 1000 * 1000, product(1000 * one, a, b, c));
        CHECKED("product_of_doubles", double, 1111 * 777,
                product_of_doubles(1111 * one, 777 * one, 999 * one, (double (*)[999 * one])wide,
                                   (double (*)[777 * one])(wide + N / 4), (double (*)[777 * one])c));
        CHECKED("thin_product", float, 200003 * 40, thin_product(200003 * one, 40 * one, 48 * one, a, b, c));
        CHECKED("by_transposed", float, 1500 * 1300, by_transposed(1500 * one, 1300 * one, 700 * one, a, b, c));
        CHECKED("gram", float, FEW * FEW, gram(100003 * one, (float (*)[FEW])a, (float (*)[FEW])c));
        CHECKED("rows_times", float, 10007, rows_times(10007 * one, 1501 * one, a, b, c));
        CHECKED("columns_times", float, 1501, columns_times(10007 * one, 1501 * one, a, b, c));
        CHECKED("columns_by_lanes", float, 1501, columns_by_lanes(10007 * one, 1501 * one, a, b, c));
        CHECKED("wide_rows", float, 48, wide_rows(48 * one, 500003 * one, a, c));
        CHECKED("short_rows", float, 700001 * 19, short_rows(700001 * one, 19 * one, a, c));
        CHECKED("middle", float, 300 * 250, middle(300 * one, 400 * one, 250 * one, a, c));
        CHECKED("seven_points", double, EDGE * EDGE * EDGE, seven_points((double (*)[EDGE][EDGE])wide, (double (*)[EDGE][EDGE])c));
        CHECKED("five_by_five", float, 3001 * 2003, five_by_five(3001 * one, 2003 * one, a, b, c));
        CHECKED("pooled", float, 32 * 48 * 55 * 56, pooled(32 * 48 * one, 111 * one, 113 * one, a, c));
        CHECKED("binned", unsigned, NODES, binned(20000003 * one, at, (unsigned *)c));
        CHECKED("uneven_rows", float, 300001, uneven_rows(300001 * one, start, at, a, b, c));
        CHECKED("gathered", float, 30000001, gathered(30000001 * one, at, a, a, c));
        CHECKED("planar", float, 24000000, planar(8000001 * one, (float (*)[3])a, c, c + 8000001, c + 16000002));
        CHECKED("apart", float, 3001 * 2999, apart(3001 * one, 2999 * one, (float (*)[12])a, (float (*)[12])b, c));
        CHECKED("least_in_rows", int, 20011, least_in_rows(20011 * one, 333 * one, a, ints));
        CHECKED("escaped", int, 1080 * 1920, escaped(1080 * one, 1920 * one, 200 * one, ints));
        CHECKED("filtered", float, 10000001, filtered(10000001 * one, 61 * one, a, b, c));
        CHECKED("resized", float, 3000 * 4000, resized(1501 * one, 1999 * one, 3000 * one, 4000 * one, a, c));
        CHECKED("normalised", float, 9001 * 769, normalised(9001 * one, 769 * one, a, b, c));
        CHECKED("summed_down", double, 500 * 30011, summed_down(500 * one, 30011 * one, wide, wide_out));
        CHECKED("complex_product", float, 2 * 600 * 600,
                complex_product(600 * one, (float complex *)a, (float complex *)b, (float complex *)c));
        CHECKED("red_points", double, 4001 * 4003, red_points(4001 * one, 4003 * one, 0.9, wide, wide_out));
        CHECKED("nine_by_nine", float, 200001 * 9,
                nine_by_nine(200001 * one, (float (*)[9][9])a, (float (*)[9])b, (float (*)[9])c));
        CHECKED("matches", int, 1, matches(60000001 * one, bytes, bytes + 1000, ints));
        CHECKED("looked_up", double, 8000001, looked_up(8000001 * one, nodes, nodes + NODES, wide, wide_out));
        CHECKED("closest", float, 20011,
                closest(20011 * one, a, a + 20011, a + 40022, b, b + 20011, b + 40022, c));
        CHECKED("contracted", float, 13 * 13 * 37 * 37, contracted(13 * one, 37 * one, 29 * one, a, b, c));
    }
    return found == 0;
}
