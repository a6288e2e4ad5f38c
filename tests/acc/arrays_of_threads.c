// Arrays of a thread whose subscripts are constants once loops are written out, and such as have to stay in memory.
// also: --gangs 3
#include <stdio.h>

enum { N = 37 };

/* Bounds and first values that depend on counters around; what is behind a loop reads its counter. */
static void eliminations(int n, const unsigned *restrict x, unsigned *restrict y)
{
#pragma acc parallel loop copyin(x[0 : 20 * n]) copyout(y[0 : n])
    for (int m = 0; m < n; m++) {
        unsigned t[4][5];
        int i;
        for (i = 0; i < 4; i++)
            for (int j = 0; j < 5; j++)
                t[i][j] = x[m * 20 + i * 5 + j] + i;
        for (int k = 0; k < 4; k++) {
            t[k][k] |= 1;
            for (i = k + 1; i < 4; i++) {
                unsigned factor = t[i][k] * t[k][k];
                for (int j = k; j < 5; j++)
                    t[i][j] = t[i][j] * t[k][k] - factor * t[k][j];
            }
            t[k][4] += i;
        }
        unsigned sum = 0;
        for (i = 3; i >= 0; i--) {
            for (int j = 3; j > i; j -= 1)
                t[i][4] -= t[i][j] * t[j][4];
            sum = sum * 31 + t[i][4];
        }
        y[m] = sum + i;
    }
}

/* The array is kept from iteration to iteration of a loop that stays. */
static void distances(int n, const unsigned char *restrict p, const unsigned char *restrict q, unsigned *restrict y)
{
#pragma acc parallel loop copyin(p[0 : 24 * n], q[0 : 24 * n]) copyout(y[0 : n])
    for (int m = 0; m < n; m++) {
        int row[25];
        for (int j = 0; j <= 24; j++)
            row[j] = j;
        for (int i = 0; i < 24; i++) {
            int letter = p[m * 24 + i] & 3, above = row[0];
            row[0] = i + 1;
            for (int j = 0; j < 24; j++) {
                int best = above + (letter != (q[m * 24 + j] & 3));
                above = row[j + 1];
                if (above + 1 < best)
                    best = above + 1;
                if (row[j] + 1 < best)
                    best = row[j] + 1;
                row[j + 1] = best;
            }
        }
        y[m] = row[24];
    }
}

/* Subscripts that come again after eight iterations, of loops of known and of unknown length. */
static void windows(int n, const unsigned *restrict x, unsigned *restrict y)
{
#pragma acc parallel loop copyin(x[0 : 20 * n]) copyout(y[0 : n])
    for (int m = 0; m < n; m++) {
        unsigned w[8], v[4] = {1, 2, 3}, sum = 0;
        for (int t = 0; t < 8; t++)
            w[t] = x[20 * m + t];
        for (int t = 0; t < 44; t++) {
            if (t >= 8)
                w[t % 8] += w[(t + 1) % 8] * 3 ^ w[(t + 6) % 8];
            sum = sum * 5 + w[t % 8];
        }
        for (int t = 3; t < m; t++) {
            v[t & 3] = v[(t + 1) & 3] * 7 + x[t % 20] + v[(unsigned)t % 2];
            if (v[t & 3] % 61 == 0)
                break;
        }
        y[m] = sum + v[0] + v[1] * 3 + v[2] * 5 + v[3] * 7;
    }
}

/* Loops that leave early, a loop of unknown length in one that is written out, an array declared inside. */
static void ways_out(int n, const unsigned *restrict x, unsigned *restrict y)
{
#pragma acc parallel loop copyin(x[0 : 20 * n]) copyout(y[0 : n])
    for (int m = 0; m < n; m++) {
        unsigned t[6] = {0}, last = 0;
        for (int k = 0; k < 6; k++) {
            unsigned own[3];
            for (int j = 0; j < 3; j++)
                own[j] = x[20 * m + 3 * k + j] & 15;
            for (unsigned j = own[0]; j < own[1] + own[2]; j++) {
                if (j == 13)
                    continue;
                t[k] += x[j % 20] + j;
                if (t[k] % 29 == 0)
                    break;
            }
            if (own[2] == 7)
                break;
            for (int j = 0; j < k; j++)
                t[k] ^= t[j] << (k - j);
            last = k;
        }
        y[m] = last;
        for (int k = 0; k < 6; k++)
            y[m] = y[m] * 3 + t[k];
    }
}

#pragma acc routine seq
static __attribute__((noinline)) unsigned folded(const unsigned *x, int n)
{
    unsigned sum = 0;
    for (int i = 0; i < n; i++)
        sum = sum * 3 + x[i];
    return sum;
}

/* Subscripts that data tell, an address that a function gets, and one that is chosen. */
static void in_memory(int n, const unsigned *restrict x, unsigned *restrict y)
{
#pragma acc parallel loop copyin(x[0 : 20 * n]) copyout(y[0 : n])
    for (int m = 0; m < n; m++) {
        unsigned t[4][4], u[8], v[2][4];
        for (int i = 0; i < 4; i++)
            for (int j = 0; j < 4; j++)
                t[i][j] = x[20 * m + 4 * i + j];
        int pivot = 0;
        for (int i = 1; i < 4; i++)
            if (t[i][0] > t[pivot][0])
                pivot = i;
        for (int j = 0; j < 4; j++) {
            unsigned other = t[pivot][j];
            t[pivot][j] = t[0][j];
            t[0][j] = other;
        }
        for (int k = 0; k < 8; k++)
            u[k] = t[k / 4][k % 4] + k;
        for (int k = 0; k < 4; k++)
            v[0][k] = u[k] * 3, v[1][k] = u[k] + u[7 - k];
        unsigned *chosen = v[x[m] & 1];
        for (int k = 0; k < 4; k++)
            chosen[k] += u[x[k] & 7];
        y[m] = folded(u, 8) + v[0][1] + v[1][2] * 3 + t[3][3];
    }
}

static unsigned x[20 * N], y[N];
static unsigned char p[24 * N], q[24 * N];

static void print(const char *name)
{
    unsigned sum = 0;
    for (int i = 0; i < N; i++)
        sum = sum * 1000003 + y[i];
    printf("%s %u %u %u\n", name, y[0], y[N - 1], sum);
}

int main(void)
{
    unsigned state = 1;
    for (int i = 0; i < 20 * N; i++)
        x[i] = (state = state * 1664525u + 1013904223u) >> 8;
    for (int i = 0; i < 24 * N; i++) {
        p[i] = (state = state * 1664525u + 1013904223u) >> 24;
        q[i] = (state = state * 1664525u + 1013904223u) >> 24;
    }
    eliminations(N, x, y);
    print("eliminations");
    distances(N, p, q, y);
    print("distances");
    windows(N, x, y);
    print("windows");
    ways_out(N, x, y);
    print("ways out");
    in_memory(N, x, y);
    print("in memory");
    return 0;
}
