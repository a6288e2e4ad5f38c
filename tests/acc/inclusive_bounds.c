// Loops whose last iteration their bound names, in steps up and down, and quotients of what is not negative.
#include <limits.h>
#include <stdio.h>

enum { N = 300 };

int main(void)
{
    static int up[N], down[N], all[2], value[2][N + 1];
    int last = N - 1, none = -1, count = 0, many = 0;
#pragma acc parallel loop gang vector vector_length(64) copy(up)
    for (int j = 0; j <= last; j++)
        up[j] += j % 4 * 1000 + j / 8;
#pragma acc parallel loop gang vector vector_length(64) copy(down)
    for (int j = last; j >= 0; j--)
        down[j] += (j - N) % 4 * 1000 + (j - N) / 8;
#pragma acc parallel loop gang vector vector_length(32) reduction(+ : count)
    for (int j = 0; j <= none; j++)
        count++;
    // Close to the greatest number.
    unsigned least = UINT_MAX - 40, most = UINT_MAX - 1;
#pragma acc parallel loop gang vector vector_length(32) reduction(+ : many)
    for (unsigned j = least; j <= most; j++)
        many += j % 2;
    // Two buffers in turn, in a loop down that all threads of a gang go round together.
#pragma acc parallel num_gangs(1) vector_length(128) copyout(all) create(value)
    {
#pragma acc loop gang
        for (int g = 0; g < 1; g++) {
#pragma acc loop vector
            for (int j = 0; j <= N; j++)
                value[N % 2][j] = j;
#pragma acc loop seq
            for (int i = N - 1; i >= 0; i--) {
#pragma acc loop vector
                for (int j = 0; j <= i; j++)
                    value[i % 2][j] = (value[(i + 1) % 2][j] + value[(i + 1) % 2][j + 1]) % 1009;
            }
            all[0] = value[0][0];
            all[1] = value[1][1];
        }
    }
    long sums[2] = {0, 0};
    for (int j = 0; j < N; j++) {
        sums[0] += up[j] * (j + 1L);
        sums[1] += down[j] * (j + 1L);
    }
    printf("%ld %ld %d %d %d %d\n", sums[0], sums[1], count, many, all[0], all[1]);
    return 0;
}
