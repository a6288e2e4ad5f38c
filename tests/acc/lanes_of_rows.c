// Rows of which the compiler or the launch chooses how many lanes they have: private arrays, loops over lanes in
// sequential loops and behind conditions, reductions over gangs, two loops as one, `kernels`.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static int bad;

static void check(const char *what, int is_right)
{
    if (!is_right && bad++ < 10)
        printf("%s is wrong\n", what);
}

static double first(long i)
{
    return (i * 7919 % 1000) * 0.25;
}

static void in_rows(int rows, int n)
{
    long all = (long)n * rows;
    double *x = malloc(all * sizeof *x), *y = malloc(all * sizeof *y), *sums = malloc(rows * sizeof *sums);
    double *carried = malloc(rows * sizeof *carried);
    int *found = malloc(rows * sizeof *found);
    for (long i = 0; i < all; i++)
        x[i] = first(i);
#pragma acc data copyin(x[0 : all]) copyout(y[0 : all], sums[0 : rows], carried[0 : rows], found[0 : rows])
    {
        double own[64];
#pragma acc parallel loop gang private(own) present(x, y, sums)
        for (int i = 0; i < rows; i++) {
#pragma acc loop vector
            for (int j = 0; j < 64; j++)
                own[j] = j < n ? x[(long)i * n + j] : 0;
            double sum = 0;
#pragma acc loop vector reduction(+ : sum)
            for (int j = 0; j < n; j++)
                sum += x[(long)i * n + j] + own[(j + 1) % 64];
            sums[i] = sum;
#pragma acc loop vector
            for (int j = 0; j < n; j++)
                y[(long)i * n + j] = sum + own[j % 64];
        }
#pragma acc parallel loop gang present(x, carried)
        for (int i = 0; i < rows; i++) {
            double c = 1;
#pragma acc loop seq
            for (int t = 0; t < 3; t++) {
                double most = -1;
#pragma acc loop vector reduction(max : most)
                for (int j = 0; j < n; j++)
                    most = fmax(most, x[(long)i * n + j] * c - t);
                c += most / 1024;
            }
            carried[i] = c;
        }
#pragma acc parallel loop gang present(x, found)
        for (int i = 0; i < rows; i++) {
            int count = -i;
            if (i % 2) {
                count = 0;
#pragma acc loop vector reduction(+ : count)
                for (int j = 0; j < n; j++)
                    count += x[(long)i * n + j] > 100;
            }
            found[i] = count;
        }
    }
    double total = 0, most = 0;
#pragma acc parallel loop gang copyin(x[0 : all]) reduction(+ : total) reduction(max : most)
    for (int i = 0; i < rows; i++) {
        double sum = 0;
#pragma acc loop vector reduction(+ : sum)
        for (int j = 0; j < n; j++)
            sum += x[(long)i * n + j];
        total += sum;
        most = fmax(most, sum);
    }
    double all_sums = 0, most_of_all = 0;
    for (int i = 0; i < rows; i++) {
        double *row = x + (long)i * n, sum = 0, with_own = 0, c = 1;
        int count = i % 2 ? 0 : -i;
        for (int j = 0; j < n; j++) {
            sum += row[j];
            with_own += row[j] + ((j + 1) % 64 < n ? row[(j + 1) % 64] : 0);
            count += i % 2 && row[j] > 100;
        }
        for (int t = 0; t < 3; t++) {
            double largest = -1;
            for (int j = 0; j < n; j++)
                largest = fmax(largest, row[j] * c - t);
            c += largest / 1024;
        }
        check("a sum", sums[i] == with_own);
        check("a carried number", fabs(carried[i] - c) < 1e-12);
        check("a count", found[i] == count);
        for (int j = 0; j < n; j++)
            check("an element", y[(long)i * n + j] == with_own + row[j % 64]);
        all_sums += sum;
        most_of_all = fmax(most_of_all, sum);
    }
    check("the sum of all", total == all_sums);
    check("the largest sum", most == most_of_all);

#pragma acc parallel loop gang copy(x[0 : all])
    for (int i = 0; i < rows; i++) {
#pragma acc loop vector collapse(2)
        for (int p = 0; p < (n + 2) / 3; p++)
            for (int q = 0; q < 3; q++)
                if (p * 3 + q < n)
                    x[(long)i * n + p * 3 + q] = p * 3 + q + i;
    }
#pragma acc kernels copy(x[0 : all]) copyout(sums[0 : rows])
    for (int i = 0; i < rows; i++) {
        double sum = 0;
        for (int j = 0; j < n; j++)
            sum += x[(long)i * n + j];
        sums[i] = sum;
        for (int j = 0; j < n; j++)
            x[(long)i * n + j] = x[(long)i * n + j] * 2 - sum;
    }
    for (int i = 0; i < rows; i++) {
        double sum = 0;
        for (int j = 0; j < n; j++)
            sum += i + j;
        check("a sum of `kernels`", sums[i] == sum);
        for (int j = 0; j < n; j++)
            check("an element of `kernels`", x[(long)i * n + j] == (i + j) * 2.0 - sum);
    }
    free(x), free(y), free(sums), free(carried), free(found);
}

int main(void)
{
    int lengths[] = {1, 33, 257, 1000, 4099}, counts[] = {1, 17};
    for (int a = 0; a < 5; a++)
        for (int b = 0; b < 2; b++)
            in_rows(counts[b], lengths[a]);
    printf("%d wrong\n", bad);
    return bad != 0;
}
