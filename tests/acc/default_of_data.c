// `default` on a `data` construct is about the compute constructs in it that have none (OpenACC 3.3, 2.5.16):
// what they use is there already, and is not brought again.
#include <stdio.h>

enum { n = 20 };

static double total(double *values, int count)
{
    double sum = 0;
#pragma acc data default(present)
    {
#pragma acc parallel loop
        for (int i = 0; i < count; i++)
            values[i] *= 2;
#pragma acc kernels loop reduction(+ : sum)
        for (int i = 0; i < count; i++)
            sum += values[i];
    }
    return sum;
}

int main(void)
{
    double values[n], scale = 3;
    int counts[4] = {1, 2, 3, 4};
    for (int i = 0; i < n; i++)
        values[i] = i;
#pragma acc enter data copyin(values)
    double sum = total(values, n);
#pragma acc exit data copyout(values)
    printf("%g %g\n", sum, values[n - 1]);

#pragma acc data default(none) copy(counts) copyin(scale)
    {
#pragma acc parallel loop
        for (int i = 0; i < 4; i++)
            counts[i] *= scale;
        // Its own clause counts.
#pragma acc serial default(present) copy(sum)
        sum = counts[3];
    }
    printf("%d %g\n", counts[2], sum);
    return 0;
}
