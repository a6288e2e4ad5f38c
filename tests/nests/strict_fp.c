// options: --strict-fp
// Floating-point numbers are accumulated in the order of the program, unless a clause says otherwise.
#include "show.h"
#define N 200
static int a[N];
static double x[N], cells[8];

int main(void)
{
    int count = 0;
    double sum = 0, product = 1, largest = 0, said = 0;
    fill(a, N, 131);
    for (int i = 0; i < N; i++)
        x[i] = a[i] * 0.25;
#pragma acc kernels
    {
        for (int i = 0; i < N; i++) // expect: sequential: strict-fp sum
            sum += x[i];
        for (int i = 0; i < N; i++) // expect: sequential: strict-fp product
            product *= 1 + x[i] / 65536;
        for (int i = 0; i < N; i++) // expect: sequential: strict-fp largest
            largest = x[i] > largest ? x[i] : largest;
        for (int i = 0; i < N; i++) // expect: sequential: strict-fp cells
            cells[i & 7] += x[i];
        for (int i = 0; i < N; i++) // expect: parallel: reduction + count
            count += x[i] > 3;
#pragma acc loop reduction(+ : said)
        for (int i = 0; i < N; i++) // expect: parallel
            said += x[i];
        for (int i = 0; i < N; i++) // expect: parallel
            x[i] = x[i] * 2 + 1;
    }
    printf("%d %.17g %.17g %.17g %.17g\n", count, sum, product, largest, said);
    for (int i = 0; i < 8; i++)
        printf("%.17g\n", cells[i]);
}
