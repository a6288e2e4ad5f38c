// Rows that gangs or workers have for themselves, in shared memory: lanes make one after the other of them, each from the
// row before, with barriers where lanes read what other lanes have written.
#include <stdio.h>
#include <stdlib.h>

enum { PAIRS = 9, MOST = 70, STEPS = 5 };

static int wrong;
#define CHECK(condition) ((condition) ? (void)0 : (void)(wrong++, printf("line %d: %s\n", __LINE__, #condition)))

static char first[PAIRS][MOST], second[PAIRS][MOST];

// The length of the longest common subsequence, antidiagonal after antidiagonal.
static void common(int const *restrict lengths, int *restrict result)
{
#pragma acc parallel loop gang vector_length(64) copyin(first, second, lengths[0:PAIRS]) copyout(result[0:PAIRS])
    for (int p = 0; p < PAIRS; p++) {
        int rows[3][MOST + 1];
        int n = lengths[p];
#pragma acc loop vector
        for (int i = 0; i <= MOST; i++) {
            rows[0][i] = rows[1][i] = rows[2][i] = 0;
        }
        for (int d = 2; d <= 2 * n; d++) {
            int now = d % 3, before = (d + 2) % 3, last = (d + 1) % 3;
            int from = d > n ? d - n : 1, to = d > n ? n : d - 1;
#pragma acc loop vector
            for (int i = from; i <= to; i++) {
                int j = d - i;
                int longest = rows[before][i] > rows[before][i - 1] ? rows[before][i] : rows[before][i - 1];
                if (first[p][i - 1] == second[p][j - 1]) {
                    longest = rows[last][i - 1] + 1;
                }
                rows[now][i] = longest;
            }
        }
        result[p] = n ? rows[2 * n % 3][n] : 0;
    }
}

static int expected_common(int p, int n)
{
    int table[MOST + 1][MOST + 1] = {0};
    for (int i = 1; i <= n; i++) {
        for (int j = 1; j <= n; j++) {
            int a = table[i - 1][j], b = table[i][j - 1];
            table[i][j] = first[p][i - 1] == second[p][j - 1] ? table[i - 1][j - 1] + 1 : a > b ? a : b;
        }
    }
    return table[n][n];
}

// Rows of bytes and of doubles, one for each worker; the start of a step is written in front of the loops over lanes.
static void of_workers(int n, long *restrict sums, double *restrict means)
{
#pragma acc parallel loop gang num_workers(4) vector_length(32) copyout(sums[0:PAIRS * 4], means[0:PAIRS * 4])
    for (int p = 0; p < PAIRS; p++) {
#pragma acc loop worker
        for (int w = 0; w < 4; w++) {
            unsigned char bytes[MOST];
            double parts[MOST + 1];
            long sum = 0;
            double mean = 0;
#pragma acc loop vector
            for (int i = 0; i < n; i++) {
                bytes[i] = p * 31 + w * 7 + i;
                parts[i] = p - w;
            }
            for (int step = 0; step < STEPS; step++) {
                parts[n] = step;
                unsigned char turned[MOST];
#pragma acc loop vector
                for (int i = 0; i < n; i++) {
                    turned[i] = bytes[n - 1 - i] + (unsigned char)parts[n];
                }
#pragma acc loop vector reduction(+ : sum)
                for (int i = 0; i < n; i++) {
#pragma acc atomic update
                    bytes[i / 2] += turned[i];
                    sum += turned[i];
                }
#pragma acc loop vector reduction(+ : mean)
                for (int i = 0; i < n; i++) {
                    parts[i] = 0.5 * parts[i] + bytes[i];
                    mean += parts[i] * parts[n];
                }
            }
            sums[p * 4 + w] = sum;
            means[p * 4 + w] = mean;
        }
    }
}

static void expected_of_workers(int p, int w, int n, long *sum, double *mean)
{
    unsigned char bytes[MOST], turned[MOST];
    double parts[MOST];
    *sum = *mean = 0;
    for (int i = 0; i < n; i++) {
        bytes[i] = p * 31 + w * 7 + i;
        parts[i] = p - w;
    }
    for (int step = 0; step < STEPS; step++) {
        for (int i = 0; i < n; i++) {
            turned[i] = bytes[n - 1 - i] + step;
        }
        for (int i = 0; i < n; i++) {
            bytes[i / 2] += turned[i];
            *sum += turned[i];
        }
        for (int i = 0; i < n; i++) {
            parts[i] = 0.5 * parts[i] + bytes[i];
            *mean += parts[i] * step;
        }
    }
}

struct cell {
    short height;
    char kind;
    float warm;
};

// Objects in shared memory with addresses that are chosen, moved on and copied from.
static void chosen(int n, float *restrict out)
{
#pragma acc parallel loop gang num_workers(1) vector_length(32) copyout(out[0:PAIRS * MOST])
    for (int p = 0; p < PAIRS; p++) {
        struct cell even[MOST], odd[MOST];
#pragma acc loop vector
        for (int i = 0; i < n; i++) {
            even[i] = (struct cell){i, 'e', 0.5f * i};
            odd[i] = (struct cell){-i, 'o', 0.25f * i};
        }
        for (int step = 0; step < STEPS; step++) {
            struct cell *from = step % 2 ? even : odd, *to = step % 2 ? odd : even;
#pragma acc loop vector
            for (int i = 0; i < n; i++) {
                struct cell *last = from + n - 1;
                struct cell left = *(i ? from + i - 1 : last);
                to[i].height += left.height;
                to[i].warm += left.kind == 'e' ? left.warm : -left.warm;
            }
        }
#pragma acc loop vector
        for (int i = 0; i < n; i++) {
            out[p * MOST + i] = even[i].warm + odd[i].height + p;
        }
    }
}

static void expected_chosen(int p, int n, float *out)
{
    struct cell cells[2][MOST];
    for (int i = 0; i < n; i++) {
        cells[0][i] = (struct cell){i, 'e', 0.5f * i};
        cells[1][i] = (struct cell){-i, 'o', 0.25f * i};
    }
    for (int step = 0; step < STEPS; step++) {
        struct cell *from = cells[step % 2 ? 0 : 1], *to = cells[step % 2];
        for (int i = 0; i < n; i++) {
            struct cell left = from[i ? i - 1 : n - 1];
            to[i].height += left.height;
            to[i].warm += left.kind == 'e' ? left.warm : -left.warm;
        }
    }
    for (int i = 0; i < n; i++) {
        out[i] = cells[0][i].warm + cells[1][i].height + p;
    }
}

int main(void)
{
    unsigned random = 7;
    for (int p = 0; p < PAIRS; p++) {
        for (int i = 0; i < MOST; i++) {
            random = random * 1664525 + 1013904223;
            first[p][i] = random >> 30;
            second[p][i] = random >> 28 & 3;
        }
    }
    int lengths[PAIRS] = {0, 1, 2, 31, 32, 33, 63, 64, MOST}, longest[PAIRS];
    common(lengths, longest);
    for (int p = 0; p < PAIRS; p++) {
        CHECK(longest[p] == expected_common(p, lengths[p]));
    }
    for (int l = 1; l < PAIRS; l += 2) {
        int n = lengths[l];
        long sums[PAIRS * 4], sum;
        double means[PAIRS * 4], mean;
        static float out[PAIRS * MOST], expected[MOST];
        of_workers(n, sums, means);
        chosen(n, out);
        for (int p = 0; p < PAIRS; p++) {
            for (int w = 0; w < 4; w++) {
                expected_of_workers(p, w, n, &sum, &mean);
                CHECK(sums[p * 4 + w] == sum);
                CHECK(means[p * 4 + w] == mean);
            }
            expected_chosen(p, n, expected);
            for (int i = 0; i < n; i++) {
                CHECK(out[p * MOST + i] == expected[i]);
            }
        }
    }
    printf("%d wrong\n", wrong);
    return wrong != 0;
}
