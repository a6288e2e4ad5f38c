// options: -fopenmp
// `target` takes part in the reduction of a task group, with numbers, sections, and arrays of variable length.
#include <stdio.h>

struct pair {
    int a, b;
};
#pragma omp declare reduction(+ : struct pair : omp_out.a += omp_in.a, omp_out.b += omp_in.b)

static void group(int n, int *tail, struct pair *pairs)
{
    int sum = 1, long_[n], small[3] = {5, 6, 7};
    for (int i = 0; i < n; i++)
        long_[i] = 100 * i;
#pragma omp taskgroup task_reduction(+ : sum, long_, small[1:2], tail[n:2], pairs[:2])
    for (int k = 0; k < 4; k++) {
#pragma omp task in_reduction(+ : sum, small[1:2])
        {
            sum += k;
            small[1] += 10 * k;
        }
#pragma omp target nowait in_reduction(+ : sum, long_, small[1:2], tail[n:2]) firstprivate(k)
        {
            sum += 1000;
            long_[k] += k + 1;
            small[2] -= k;
            tail[n + k % 2] += k;
        }
#pragma omp target in_reduction(+ : pairs[:2])
        pairs[k / 2].b += 7;
    }
    printf("%d, %d %d %d,", sum, small[0], small[1], small[2]);
    for (int i = 0; i < n; i++)
        printf(" %d", long_[i]);
    for (int i = n - 1; i < n + 3; i++)
        printf(" %d", tail[i]);
    printf(", %d %d %d %d\n", pairs[0].a, pairs[0].b, pairs[1].a, pairs[1].b);
}

int main(void)
{
    int tail[10] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
    struct pair pairs[2] = {{1, 2}, {3, 4}};
    group(5, tail, pairs);
#pragma omp parallel
#pragma omp single
    group(6, tail, pairs);
}
