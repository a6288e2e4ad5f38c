// options: -fopenmp
// The bounds of a reduced section are those in front of the team, whatever its threads do to what they come from.
#include <stdio.h>

enum { MOST = 10 };

static int length = 5;

int main(void)
{
    int sums[MOST] = {0}, most[MOST] = {0}, *p = most, from = 1;
#pragma omp parallel for reduction(+ : sums[from : length]) reduction(max : p[:length]) num_threads(4)
    for (int i = 0; i < 8; i++) {
        if (i == 0)
            length = 3, from = 9;
        for (int k = 0; k < 5; k++) {
            sums[k + 1] += 1;
            p[k] = i > p[k] ? i : p[k];
        }
    }

    int each[MOST] = {0}, m = 6;
#pragma omp parallel reduction(+ : each[0 : m]) num_threads(4) default(none) shared(m)
    {
#pragma omp single nowait
        m = 2;
        for (int k = 0; k < 6; k++)
            each[k] += k;
    }

    int less[MOST] = {0}, o = 4;
#pragma omp parallel sections reduction(- : less[o - 4 : o * 2]) num_threads(2)
    {
#pragma omp section
        {
            o = 1;
            for (int k = 0; k < 8; k++)
                less[k] -= k;
        }
#pragma omp section
        for (int k = 0; k < 8; k++)
            less[k] -= 10;
    }

    int there[MOST] = {0}, n = 5;
#pragma omp target map(tofrom : there)
    {
#pragma omp parallel for reduction(+ : there[0 : n])
        for (int i = 0; i < 64; i++) {
            if (i == 0)
                n = 1;
            for (int k = 0; k < 5; k++)
                there[k] += 1;
        }
    }

    for (int k = 0; k < MOST; k++)
        printf("%d %d %d %d %d\n", sums[k], most[k], each[k], less[k], there[k]);
    return 0;
}
