// options: -fopenmp
// Braces around nothing but the loop of a directive, which Clang takes for the loop.
#include <stdio.h>

enum { N = 100 };

int main(void)
{
    int a[N], sum = 0;
#pragma omp parallel for
    {
        for (int i = 0; i < N; i++)
            a[i] = i;
    }
#pragma omp target teams num_teams(2) map(tofrom : a)
#pragma omp distribute parallel for
    {
        {
            for (int i = 0; i < N; i++)
                a[i] *= 2;
        }
    }
#pragma omp target teams loop reduction(+ : sum)
    {
        for (int i = 0; i < N; i++)
            sum += a[i];
    }
    printf("%d\n", sum);
    return 0;
}
