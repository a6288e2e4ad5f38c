// Executes the golden case of what launches compute: each divisor with dividends around its multiples, and around
// where products with reciprocals end, beside what the host divides.
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "../../golden/cases/ptx/known.c"

static const long divisors[] = {1, 2, 3, 5, 7, 10, 47, 48, 49, 641, 65535, 65536, 65537, 1 << 30, (1 << 30) + 1, INT_MAX - 1,
                                INT_MAX, 1l << 31, (1l << 31) + 1, UINT_MAX, 1l << 32, (1l << 32) + 1, LONG_MAX, -1, -2, -7,
                                INT_MIN, LONG_MIN};

#define CHECK(name, type, least, most)                                                                                 \
    static int check_##name(void)                                                                                      \
    {                                                                                                                  \
        type a[MOST], quotient[MOST], rest[MOST];                                                                      \
        int wrong = 0;                                                                                                 \
        for (int d = 0; d < (int)(sizeof divisors / sizeof *divisors); d++) {                                          \
            type n = (type)divisors[d];                                                                                \
            if (n == 0 || (long)n != divisors[d])                                                                      \
                continue;                                                                                              \
            for (int i = 0; i < MOST; i++) {                                                                           \
                static const type around[] = {0, 1, INT_MAX, most, least};                                             \
                unsigned long base = i / 16 % 2 ? (unsigned long)n * (i * 7919 % 32768) : (unsigned long)around[i % 5]; \
                a[i] = (type)(base + i / 5 % 3 - 1);                                                                   \
                if (n == (type)-1 && a[i] == (type)(least))                                                            \
                    a[i] = 3;                                                                                          \
            }                                                                                                          \
            memset(quotient, 0, sizeof quotient);                                                                      \
            memset(rest, 0, sizeof rest);                                                                              \
            _Pragma("acc data copyin(a) copy(quotient, rest)") name(n, a, quotient, rest);                             \
            int count = n > 0 && n < MOST ? (int)n : MOST;                                                             \
            for (int i = 0; i < count; i++)                                                                            \
                wrong += quotient[i] != a[i] / n || rest[i] != a[i] % n;                                               \
        }                                                                                                              \
        return wrong;                                                                                                  \
    }

CHECK(ints, int, INT_MIN, INT_MAX)
CHECK(unsigned_ints, unsigned, 0, UINT_MAX)
CHECK(longs, long, LONG_MIN, LONG_MAX)
CHECK(unsigned_longs, unsigned long, 0, ULONG_MAX)

static int check_cells(int n, int m, int l)
{
    static int a[4096];
    memset(a, 0, sizeof a);
#pragma acc data copy(a)
    cells(n, m, l, a);
    int wrong = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int k = 0; k < l; k++) {
                int is_in = j >= 1 && j < m - 1 && (l - 1 - k) % 2 == 0;
                wrong += a[(i * m + j) * l + k] != (is_in ? i + 10 * j + 100 * k : 0);
            }
    return wrong;
}

int main(void)
{
    printf("%d %d %d %d\n", check_ints(), check_unsigned_ints(), check_longs(), check_unsigned_longs());
    printf("%d %d %d %d %d\n", check_cells(5, 9, 7), check_cells(40, 3, 1), check_cells(0, 9, 7), check_cells(1, 2, 9),
           check_cells(3, 33, 32));
}
