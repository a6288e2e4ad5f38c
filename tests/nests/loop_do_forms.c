// `do` loops of several forms; those that count are as good as any other.
#include "show.h"
#define N 200
static int a[N], b[N], c[N];

static void forms(int *restrict p, const int *restrict q, int n)
{
    int i = 0, sum = 0;
    unsigned u = 0;
#pragma acc kernels copy(p[0 : N]) copyin(q[0 : N])
    {
        i = 0;
        do // expect: parallel
            p[i] = q[i] + n;
        while (++i < n);
        i = 0;
        do { // expect: parallel
            p[i] += q[i] * 3;
        } while (i++ < n - 1);
        i = n - 1;
        do { // expect: parallel
            p[i] ^= q[i];
            i -= 2;
        } while (i >= 0);
        u = 2;
        do { // expect: parallel: reduction + sum
            sum += q[u];
            u++;
        } while (u != 100);
        i = 1;
        do { // expect: sequential: carried p, distance 1
            p[i] += p[i - 1];
            i++;
        } while (i < n);
        i = 0;
        do { // expect: sequential: scalar i
            p[i] += 7;
            i += 1 + (q[i] & 1);
        } while (i < n);
        i = 0;
        do { // expect: sequential: exit
            p[i] += 9;
            if (p[i] == 12345678)
                break;
            i++;
        } while (i < n);
    }
    printf("%d %u %d\n", i, u, sum);
}

static void inside(int n)
{
#pragma acc kernels
    for (int i = 0; i < n; i++) { // expect: parallel
        int k = b[i] & 1023, steps = 0;
        do { // expect: sequential: scalar k
            k = k % 2 ? 3 * k + 1 : k / 2;
            steps++;
        } while (k > 1 && steps < 50);
        c[i] = steps;
    }
#pragma acc kernels
    for (int i = 0; i < 50; i++) { // expect: sequential: unknown-subscript c
        int x = i, y = i;
        do { // expect: sequential: scalar x
            c[x] = c[x] * 3 + i;
            x = y;
            y = y + 1;
        } while (y < i + 5);
    }
}

int main(void)
{
    fill(a, N, 151);
    fill(b, N, 152);
    forms(a, b, N);
    forms(a, b, 1);
    inside(N);
    show("a", a, N);
    show("c", c, N);
}
