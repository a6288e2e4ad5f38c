// options: -fopenmp
// Collapsed nests inside of `target` whose inner bounds depend on outer variables.
#include <stdio.h>

enum { N = 20, M = 48 };
static int seen[N * M];

static void show(const char *what)
{
    long count = 0, most = 0, sum = 0;
    for (int i = 0; i < N * M; i++) {
        count += seen[i];
        most = seen[i] > most ? seen[i] : most;
        sum = (sum * 31 + seen[i] * (i + 1)) % 1000003;
        seen[i] = 0;
    }
    printf("%s: %ld %ld %ld\n", what, count, most, sum);
}

int main(void)
{
    int n = 17, shift = 3;
    long total = 0;
#pragma omp target teams distribute parallel for collapse(2) map(tofrom: seen)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++)
            seen[i * M + j]++;
    show("triangle");
#pragma omp target teams distribute parallel for collapse(2) reduction(+ : total) map(tofrom: seen)
    for (int i = n; i > 0; i -= 2)
        for (int j = 40 - i; j > 2 * i - shift; j -= 3) {
            seen[i * M + j]++;
            total += i * 100 + j;
        }
    show("trapezoid");
    printf("%ld\n", total);
#pragma omp target teams map(tofrom: seen)
#pragma omp distribute collapse(2)
    for (int i = 0; i < n; i++)
        for (unsigned j = i; j < 30; j += 4)
            seen[i * M + j]++;
    show("unsigned");
#pragma omp target parallel for collapse(3) map(tofrom: seen)
    for (int i = 0; i < n; i++)
        for (int j = i; j < n; j += 2)
            for (int k = j; k < 2 * j; k++) {
#pragma omp atomic
                seen[i * M + k]++;
            }
    show("chain");
    total = 0;
#pragma omp target map(tofrom: seen) map(tofrom: total)
#pragma omp parallel for simd collapse(2) reduction(+ : total)
    for (int i = 0; i < n; i++)
        for (int j = 20; j < i + shift; j++) {
            seen[i * M + j]++;
            total++;
        }
    show("mostly empty");
    printf("%ld\n", total);
#pragma omp target map(tofrom: seen)
#pragma omp simd collapse(2)
    for (int i = 0; i < 4; i++)
        for (int j = i; j <= 3 * i; j++)
            seen[i * M + j] = j;
    show("lanes");
#pragma omp target teams loop collapse(2) map(tofrom: seen)
    for (int i = -3; i < 3; i++)
        for (int j = -i; j < 5; j++)
            seen[(i + 3) * M + j + 3]++;
    show("negative");
    return 0;
}
