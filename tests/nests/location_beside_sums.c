// Minima and maxima with their places, and last values under a condition, beside sums.
#include "show.h"
#define N 307
static int a[N], b[N];
static double x[N];

static void statistics(int n)
{
    int sum = 7, most = -9999, at = -1, count = 0, least = 9999, first = -5, last = -1;
    double total = 0.5, best = -1e9;
    int where = -7, all = 0, bits = 0;
    unsigned long product = 1;
#pragma acc kernels
    {
        for (int i = 0; i < n; i++) { // expect: parallel: reduction + sum, reduction max most, last at
            sum += a[i];
            if (a[i] > most) {
                most = a[i];
                at = i;
            }
        }
        for (int i = 0; i < n; i++) { // expect: parallel: reduction + total, reduction + count, reduction max best, last where
            if (x[i] >= best) {
                best = x[i];
                where = i;
            }
            total += x[i] * 0.25;
            if (b[i] & 1)
                count++;
        }
        for (int i = 0; i < n; i++) { // expect: parallel: reduction min least, reduction ^ bits, last last
            least = b[i] < least ? b[i] : least;
            bits ^= a[i];
            if (b[i] % 5 == 0)
                last = a[i];
        }
        most = 40;
        for (int i = n - 1; i >= 0; i--) { // expect: parallel: reduction * product, reduction max most, last at, last first
            product *= (unsigned)(a[i] | 1);
            if (a[i] > most) {
                most = a[i];
                at = i;
            }
            if (b[i] == 11)
                first = i;
        }
    }
    printf("%d %d %d %d %d %d %d\n", sum, most, at, count, least, first, last);
    printf("%.4f %.4f %d %d %d %lu\n", total, best, where, all, bits, product);
}

// What a sum adds depends on what was found so far.
static void dependent(int n)
{
    int records = 0, most = -9999, at = -1, sum = 0, least = 9999, where = 0;
#pragma acc kernels
    {
        for (int i = 0; i < n; i++) // expect: sequential: scalar most
            if (a[i] > most) {
                most = a[i];
                at = i;
                records++;
            }
        for (int i = 0; i < n; i++) { // expect: sequential: scalar least
            if (b[i] < least) {
                least = b[i];
                where = i;
            }
            sum += least;
        }
    }
    printf("%d %d %d %d %d %d\n", records, most, at, sum, least, where);
}

int main(void)
{
    fill(a, N, 31);
    fill(b, N, 32);
    for (int i = 0; i < N; i++)
        x[i] = a[i] % 97 * 0.5;
    statistics(N);
    statistics(1);
    statistics(0);
    dependent(N);
}
