// A loop that is written out, and left by more ways than its test: what each way says holds behind it.
#include <stdio.h>

#define N 40

static inline int first_bit(long x)
{
    for (int i = 0; i < 64; i++)
        if (x >> i & 1)
            return i + 1;
    return 0;
}

// The loop inside is left, and the one around it with it.
static inline int first_of_pairs(int x)
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            if (i * 5 + j * 7 == x)
                return 10 * i + j;
    return -1;
}

int main(void)
{
    int bits[N], pairs[N], labels[N], kept[N];
    #pragma acc parallel loop copyout(bits, pairs, labels, kept)
    for (int k = 0; k < N; k++) {
        bits[k] = 100 + first_bit((long)k << 20);
        pairs[k] = first_of_pairs(k);
        int at, rest;
        for (int i = 0; i < 4; i++) {
            at = i * i;
            rest = k - at;
            if (rest < 4)
                goto found;
        }
        rest = at = -1;
    found:
        labels[k] = at * 1000 + rest;
        // The elements of an array of the thread's own, whose subscripts come again.
        int ring[4] = { k, k + 1, k + 2, k + 3 };
        int which = -1;
        for (int i = 0; i < 4000; i++) {
            int next = ring[i % 4] * 3 % 101;
            ring[i % 4] = next;
            if (next == 7) {
                which = next + i;
                goto seen;
            }
        }
    seen:
        kept[k] = which;
    }
    for (int k = 0; k < N; k++)
        printf("%d %d %d %d\n", bits[k], pairs[k], labels[k], kept[k]);
    return 0;
}
