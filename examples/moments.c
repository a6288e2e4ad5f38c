// Statistics in one pass: a reduction of a structure, member by member, and one of an array, in the same loop.
#include <math.h>
#include <stdio.h>

struct moments {
    double sum, squares;
    long count;
};

int main(void)
{
    const int n = 100000;
    struct moments m = {0, 0, 0};
    int digits[10] = {0};
    float least = 1e9f, most = -1e9f;
#pragma acc parallel loop reduction(+ : m, digits) reduction(min : least) reduction(max : most)
    for (int i = 0; i < n; i++) {
        int x = (int)((i * 7919L + 12345) % 10007);
        m.sum += x;
        m.squares += (double)x * x;
        m.count++;
        digits[x % 10]++;
        least = fminf(least, x);
        most = fmaxf(most, x);
    }
    double mean = m.sum / m.count;
    printf("%ld values from %g to %g, mean %.3f, deviation %.3f\n", m.count, least, most, mean,
           sqrt(m.squares / m.count - mean * mean));
    for (int d = 0; d < 10; d++)
        printf("%d%c", digits[d], d < 9 ? ' ' : '\n');
    return 0;
}
