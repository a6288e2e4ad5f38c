// What a processor has beyond its base is nothing that this compiler has instructions for, so that programs take their plain code.
#include <stdio.h>

#if !__has_builtin(__builtin_cpu_supports) || !__has_builtin(__builtin_cpu_init)
#error programs ask for them
#endif

static float sum(const float *x, int n)
{
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") || __builtin_cpu_is("amd"))
        return -1;
    float total = 0;
#pragma acc parallel loop copyin(x[:n]) reduction(+ : total)
    for (int i = 0; i < n; i++)
        total += x[i];
    return total;
}

int main(void)
{
    float x[40];
    for (int i = 0; i < 40; i++)
        x[i] = i;
    printf("%g\n", sum(x, 40));
    return 0;
}
