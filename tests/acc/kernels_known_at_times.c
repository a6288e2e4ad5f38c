// A number that the host knows behind a loop, but not where no iteration has come there: launches behind find what a
// launch has left.
#include <stdio.h>

static int kept, a[40];

static int nest(const int *restrict p, unsigned *restrict q, int n)
{
    int sum = 7;
    short half = 6;
    float least = 100;
#pragma acc kernels
    {
        int at = kept;
        for (int i = 0; i < n; i += 2) {
            a[i + 5] = p[i + 7] + a[i + 2];
            if (i <= 3 && (float)q[i + 2] < least)
                least = q[i + 2];
            for (at = 0; at < 7; at++)
                for (long j = at - 1; j < at + 4; j++)
                    sum -= (unsigned char)(q[15 - 2 * i] * 3 ^ q[1]);
            if (i < 2) {
                half = q[i] ^ p[i];
                q[i + 2] = half;
            }
        }
        kept = at;
    }
    return kept * 100000 + sum + (int)least + half;
}

int main(void)
{
    static int p[40];
    static unsigned q[40];
    for (int i = 0; i < 40; i++) {
        p[i] = i;
        q[i] = 3 * i;
    }
    kept = 3;
    printf("%d\n", nest(p, q, 0));
    printf("%d\n", nest(p, q, 6));
    printf("%d\n", nest(p, q, 4));
}
