// Numbers that loops change one after the other, with calls between some of them: no call keeps the registers of them all.
#include <stdio.h>

static int a[40];
static double x[40];

__attribute__((noinline)) static int step(int k)
{
    static int calls;
    return ++calls * k % 7;
}

static void together(int n)
{
    unsigned p = 1, q = 2, r = 3, s = 4, t = 5, u = 6, v = 7, w = 8;
    double d = 1, e = 2, last = 0;
    for (int round = 0; round < 3; round++) {
        p += step(n);
        for (int i = 0; i < n; i++) {
            if (a[i] > 5) p = 11, q++;
            d += x[i];
        }
        for (int i = 0; i < n; i++) {
            r ^= a[i] + p;
            if (x[i] > 3) {
                last = x[i];
                s += r & 7;
            }
            d = d * 0.5 + e;
        }
        while (d > 4 && t < 900) {
            d -= 1.25;
            t += u & 3;
            e += 0.5;
            if (e > 90) goto out;
        }
        for (int i = 0; i < n; i++)
            for (int j = i; j < n; j += 3) {
                u = u * 3 + (unsigned)(a[j] + i);
                v += u & 1;
                if ((u & 1023) == 77) break;
                e += x[j] * d;
            }
        q += step((int)(u & 15));
        do {
            w = w * 5 + v;
            d += 0.125;
        } while (w % 3);
    }
out:
    step(1);
    printf("%d: %u %u %u %u %u %u %u %u %g %g %g\n", n, p, q, r, s, t, u, v, w, d, e, last);
}

int main(void)
{
    for (int i = 0; i < 40; i++) a[i] = i * 7 % 13 - 3, x[i] = i * 5 % 11 - 4;
    for (int n = 0; n <= 40; n += n < 6 ? 1 : 7) together(n);
    return 0;
}
