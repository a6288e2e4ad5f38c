// options: -fopenmp
// `target` inside of tasks inside of `parallel`: mapped and firstprivate variables, structures, sections.
#include <stdio.h>

enum { BLOCKS = 6, N = 40 };
struct scale { double factor; int offset[2]; };

int main(void)
{
    static double data[BLOCKS][N];
    struct scale scale = { 0.5, { 1, 2 } };
    double sums[BLOCKS] = { 0 };
#pragma omp parallel
#pragma omp single
    for (int block = 0; block < BLOCKS; block++) {
#pragma omp task firstprivate(scale) shared(data, sums) depend(out : data[block])
        {
            scale.factor += block;
            double *row = data[block];
#pragma omp target teams distribute parallel for map(from : row[0 : N]) firstprivate(scale)
            for (int i = 0; i < N; i++)
                row[i] = scale.factor * i + scale.offset[i % 2];
        }
#pragma omp task depend(inout : data[block]) shared(data, sums)
        {
            double sum = 0;
#pragma omp target teams distribute parallel for map(to : data[block : 1]) map(tofrom : sum) reduction(+ : sum)
            for (int i = 0; i < N; i++)
                sum += data[block][i];
            sums[block] = sum;
        }
    }
    for (int block = 0; block < BLOCKS; block++)
        printf("%g ", sums[block]);
    puts("");

    long counted = 0;
#pragma omp parallel num_threads(4) reduction(+ : counted)
    {
        int own[8];
#pragma omp target map(from : own)
        for (int i = 0; i < 8; i++)
            own[i] = i;
        for (int i = 0; i < 8; i++)
            counted += own[i];
    }
    printf("%ld\n", counted);
    return 0;
}
