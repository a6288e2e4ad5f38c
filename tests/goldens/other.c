// Executes the golden cases of `ptx` and `explain`.
// also: --gangs 3
#include <stdio.h>

#include "../../golden/cases/ptx/align.c"
#define both collapsed
#include "../../golden/cases/ptx/collapse.c"
#undef both
#include "../../golden/cases/ptx/hold.c"
#include "../../golden/cases/ptx/lift.c"
#include "../../golden/cases/ptx/math.c"
#include "../../golden/cases/ptx/quotients.c"
#include "../../golden/cases/ptx/reload.c"
#define both sum_and_product
#include "../../golden/cases/ptx/strategies.c"
#undef both
#include "../../golden/cases/explain/decisions.c"
#include "../../golden/cases/explain/movement.c"
#include "../../golden/cases/explain/sections.c"
#include "../../golden/cases/explain/strides.c"
#include "../../golden/cases/explain/together.c"
#include "../../golden/cases/explain/ways.c"

int main(void)
{
    enum { N = 45, M = 7 };
    float a[N * M];
    double x[N], y[N * M], out[N];
    collapsed(N, M, a);
    double weighted = 0;
    for (int i = 0; i < N * M; i++) {
        weighted += a[i] * (i % 13);
        y[i] = i % 17 * 0.25;
    }
    printf("collapse: %g\n", weighted);

    // Rows of 7 are aligned for one lane in four, rows of 4 for all.
    for (int length = 4; length <= M; length += 3) {
        float of_rows[N];
        rows(N, length, a, a, of_rows);
        printf("align: %g %g %g\n", of_rows[0], of_rows[N / 2], of_rows[N - 1]);
    }
    struct spin from[N], to[N];
    float beside_each[N];
    for (int i = 0; i < N; i++)
        from[i] = (struct spin){ i * 0.5, i % 4 };
    spins(N, from, to);
    beside(N, a, beside_each);
    for (int i = 0; i < N; i += 11)
        printf("align: %g %g %g\n", to[i].re, to[i].im, beside_each[i]);

    for (int i = 0; i < N; i++)
        x[i] = i * 0.75 - 9;
    lengths(N, x, out);
    for (int i = 0; i < N; i += 11)
        printf("math: %.9f\n", out[i]);

    float places[40], of_places[N];
    for (int i = 0; i < 40; i++)
        places[i] = i * 0.5f;
    moments(N, a, places, of_places);
    parabola(N, places, of_places);
    for (int i = 0; i < N; i += 11)
        printf("reload: %g\n", of_places[i]);

    int whole[N], rarely[N];
    for (int i = 0; i < N; i++)
        whole[i] = i % 9;
    guarded(N, M, a, places, of_places);
    rare(N, M, 4, whole, rarely);
    for (int i = 0; i < N; i += 11)
        printf("lift: %g %d\n", of_places[i], rarely[i]);

    for (int m = 1; m < M; m += 2)
        shares(N - m, m, whole, rarely + m);
    turned(N - 1, a, of_places);
    for (int i = M; i < N - 1; i += 11)
        printf("quotients: %d %.4f\n", rarely[i], of_places[i]);

    for (int n = 0; n < N; n += 22) {
        double sum = 10, product = 3;
        for (int i = 0; i < n; i++)
            x[i] = i % 20 == 3 ? 2 : 1;
        sum_and_product(n, x, &sum, &product);
        printf("strategies: %g %g\n", sum, product);
    }

    int table[16];
    for (int i = 0; i < 16; i++)
        table[i] = i;
    for (int i = 0; i < N; i++)
        x[i] = i % 5;
    double all;
#pragma acc data copy(x)
    all = decisions(N, M, x, y, table);
    printf("explain: %g", all);
    for (int i = 0; i < N; i += 9)
        printf(" %g", x[i]);
    printf(" %d\n", table[15]);

    double rows[N][8], moved[4][8];
    for (int i = 0; i < N * 8; i++)
        rows[i / 8][i % 8] = i % 7;
    movement(N, 2, rows, x, moved);
    printf("movement: %g %g %g %g\n", rows[N - 1][7], x[N - 1], moved[0][0], moved[3][7]);

    static double sa[STRIDES_N][STRIDES_M], sb[STRIDES_M][STRIDES_N], sc[STRIDES_N][STRIDES_N], se[STRIDES_N][4],
        sf[STRIDES_N][6];
    double sx[STRIDES_M], sy[STRIDES_N], check = 0;
    for (int i = 0; i < STRIDES_N; i++)
        for (int j = 0; j < STRIDES_M; j++) {
            sa[i][j] = i + j % 3;
            sb[j][i] = i % 5 - j;
            sx[j] = j % 4;
        }
    for (int i = 0; i < STRIDES_N * 6; i++)
        sf[i / 6][i % 6] = i % 13;
    strides(sa, sb, sx, sy, sc, se, sf);
    for (int i = 0; i < STRIDES_N; i++) {
        for (int j = 0; j < STRIDES_N; j++)
            check += sc[i][j] * (i + 2 * j);
        for (int j = 0; j < STRIDES_M; j++)
            check += sa[i][j] * (3 * i - j);
        check += sy[i] * i + se[i][i % 4] * (i % 9);
    }
    printf("strides: %.9g\n", check);

    double across[3][40], down[3][40];
    for (int i = 0; i < 120; i++)
        across[i / 40][i % 40] = i % 11;
    running_sums(3, 40, across, down);
    printf("running sums: %g %g, %g %g\n", down[2][0], down[2][39], across[0][39], across[2][39]);

    // What a pointer in memory leads to is not mapped: it is there already.
    struct field field = {N, sy};
    for (int i = 0; i < 16; i++)
        table[i] = 15 - i;
#pragma acc data copy(x)
    sections(8, N, N, x, sy, rows, table);
#pragma acc enter data copyin(field, sy) attach(field.values)
    fields(&field, sx);
#pragma acc exit data delete(field, sy)
    versions(9, 5, 6, sx, sx, y);
    printf("sections: %g %g %g %g %g\n", x[3], x[14], sy[N - 1], rows[7][7], sx[N - 1]);

    int factors[2][TOGETHER_N * TOGETHER_N];
    long each[TOGETHER_N * TOGETHER_N], products[TOGETHER_N * TOGETHER_N], sum;
    for (int i = 0; i < TOGETHER_N * TOGETHER_N; i++) {
        factors[0][i] = i % 7 - 2;
        factors[1][i] = i % 5 - 1;
        each[i] = i;
        products[i] = -i;
    }
    together(TOGETHER_N, TOGETHER_N - 2, factors[0], factors[1], each, products, &sum);
    for (int i = 0; i < TOGETHER_N * TOGETHER_N; i++)
        sum = sum * 3 % 1000003 + products[i];
    printf("together: %ld\n", sum);

    enum { SIDE = 40 };
    static float image[SIDE * SIDE], least[SIDE * SIDE], median[SIDE * SIDE];
    for (int i = 0; i < SIDE * SIDE; i++)
        image[i] = i * 7919 % 1013;
#pragma acc data copyin(image) copy(least, median)
    ways(SIDE, image, least, median);
    double of_ways = 0;
    for (int i = 0; i < SIDE * SIDE; i++)
        of_ways += (least[i] + 2 * median[i]) * (i % 31);
    printf("ways: %.0f\n", of_ways);
    double held[6][8] = {{0}}, row[4] = {1, 2, 3, 4}, column[4][8];
    held[3][2] = 4, held[3][3] = 5;
    for (int i = 0; i < 32; i++)
        column[i / 8][i % 8] = i;
    summed_up(1, 8, 4, (const double(*)[4])row, (const double(*)[8])column, held);
    left(2, 3, 4, row, held[1], held[3]);
    printf("hold: %g %g, %g %g %g, %g %g\n", held[0][0], held[0][7], held[1][0], held[1][1], held[1][5], held[3][0], held[3][1]);
    return 0;
}
