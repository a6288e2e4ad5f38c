// Subscripts that are multiples of sums: constants and counters of short loops in them become offsets. Multiples may be
// large, negative or 0, and sums may be negative in between.
#include <stdio.h>

enum { SIDE = 6, MOST = 4096 };
static int a[MOST], b[MOST];
static char bytes[64];

static void squares(int n)
{
#pragma acc parallel loop collapse(3) copyin(a) copy(b)
    for (int m = 0; m < n; m++)
        for (int i = 0; i < SIDE; i++)
            for (int j = 0; j < SIDE; j++) {
                int sum = 0;
                for (int k = 0; k < SIDE; k++)
                    sum += a[(m * SIDE + i) * SIDE + k] * a[(m * SIDE + k) * SIDE + j];
                b[(m * SIDE + i) * SIDE + j] += sum;
            }
}

static void apart(int n)
{
#pragma acc parallel loop copyin(a) copy(b)
    for (int i = 0; i < n; i++) {
        b[(n - i) * 3 + 1] += a[(i - n) * -2 + 5];
        for (int k = -1; k <= 1; k++)
            b[((i + 1) * 3 + k) * 4 + 1000] += a[(i + k + 1) * 5] - a[(k + 1) * 0 + i];
        for (unsigned u = 0; u < 3; u++)
            b[(i * 3u + u - 3u * n + n * 3u) * 2u + 2400] ^= a[(u + i) * 3u];
    }
}

static void far(int n)
{
#pragma acc parallel loop copy(bytes, b)
    for (int i = 0; i < n; i++)
        if (i == 5) {
            bytes[(long)(i - 5) * 4000000000L + 9] = 3;
            bytes[(i - 4L) * 3000000000L - 2999999999L + 20] = 4;
            b[(long long)(i - 5) * 1000000000 + 7] = 5;
        }
}

int main(void)
{
    for (int i = 0; i < MOST; i++) {
        a[i] = i * 7 % 31 - 12;
        b[i] = i % 5;
    }
    squares(50);
    apart(100);
    far(8);
    long total = 0;
    for (int i = 0; i < MOST; i++)
        total = (total * 31 + b[i] + 100000) % 1000003;
    printf("%ld %d %d %d\n", total, bytes[9], bytes[21], b[7]);
    return 0;
}
