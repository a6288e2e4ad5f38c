// Labels that only the iteration itself jumps to: `goto` as `continue`, over a part of the iteration, out of
// an inner loop. A jump back, or one from outside of the loop, is another matter.
#include "show.h"
#define N 200
static int a[N], b[N], c[N], d[N][8];

static int sum(int n)
{
    int s = 0, i = 0;
#pragma acc kernels
    while (i < n) { // expect: parallel: reduction + s
        if (b[i] % 3 == 0)
            goto next;
        s += b[i];
    next:
        i++;
    }
    return s + i;
}

static void entered(int from)
{
    int j = from;
#pragma acc kernels
    {
        if (from > 2)
            goto inside;
        for (j = 0; j < N; j++) {
            c[j] += 1;
        inside: // expect: sequential: cycle
            c[j] += 2;
        }
    }
}

int main(void)
{
    fill(b, N, 31);
#pragma acc kernels
    {
        for (int i = 0; i < N; i++) { // expect: parallel
            if (b[i] < 0)
                goto negative;
            a[i] = b[i] * 3;
            goto both;
        negative:
            a[i] = -b[i];
        both:
            c[i] = a[i] + 1;
        }
        for (int i = 0; i < N; i++) { // expect: parallel
            for (int j = 0; j < 8; j++) { // expect: sequential: exit
                if ((b[i] + j) % 5 == 0)
                    goto found;
                d[i][j] = i;
            }
        found:
            c[i] += d[i][0];
        }
        for (int i = 1; i < N; i++) { // expect: sequential: unknown-subscript a
            if (b[i] < 0)
                goto skip;
            a[i] = a[i - 1] + 1;
        skip:;
        }
        for (int i = 0; i < N; i++) { // expect: sequential: cycle
        again:
            c[i]++;
            if (c[i] % 5)
                goto again; // expect: sequential: cycle
        }
        for (int i = 0; i < N; i++) // expect: parallel
            switch (b[i] & 3) {
            case 0:
                a[i] = 1;
                goto two;
            case 1:
                a[i] += 2;
                break;
            two:
            case 2:
                a[i] += 5;
            }
    }
    entered(1);
    entered(5);
    show("a", a, N);
    show("c", c, N);
    show("d", d[0], 8 * N);
    printf("%d %d\n", sum(N), sum(0));
}
