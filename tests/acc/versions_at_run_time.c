// Pointers without clauses that may lead into one object: which version of a loop is executed is decided at run time.
// Each kernel is compared with itself without directives, for pointers that are apart, equal, and that overlap by one element.
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#define KERNEL(NAME, PARAMETERS, ...)                                                                                \
    static void NAME##_in_turn PARAMETERS { __VA_ARGS__ }                                                            \
    static void NAME PARAMETERS                                                                                      \
    {                                                                                                                \
        _Pragma("acc kernels")                                                                                       \
        {                                                                                                            \
            __VA_ARGS__                                                                                              \
        }                                                                                                            \
    }

KERNEL(up, (int n, long *p, long *q), for (int i = 0; i < n; i++) p[i] = 3 * q[i] + 1;)
KERNEL(down, (int n, long *p, long *q), for (int i = n - 1; i >= 0; i--) p[i] = p[i] + 5 * q[i];)
KERNEL(large, (size_t n, long *p, long *q), for (size_t i = 0; i < n; i++) p[i] = q[i] - p[i];)
KERNEL(natural, (unsigned n, long *p, long *q), for (unsigned i = 1; i < n; i++) p[i - 1] = 2 * q[i];)
KERNEL(stepping, (int n, int s, long *p, long *q), for (int i = 0; i < n; i++) p[s * i] = q[i] + 7;)
KERNEL(offset, (int n, int k, long *p, long *q), for (int i = 0; i < n; i++) p[i + k] = p[i] + q[i];)
KERNEL(three, (int n, long *p, long *q, long *r), for (int i = 0; i < n; i++) p[i] = 2 * q[i] + r[i + 1];)
KERNEL(bound, (int *n, long *p, long *q), for (int i = 0; i < *n; i++) p[i] = q[i] + i;)
KERNEL(turned, (int n, int m, int row, long *p, long *q),
       for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) p[i * row + j] = q[j * row + i] + 1;)
KERNEL(sums, (int n, int m, long *p, long *q), for (int i = 0; i < n; i++) {
    long s = 0;
    for (int j = 0; j < m; j++)
        s += q[i + j];
    p[i] = s;
})

enum { SIZE = 96 };
static long memory[SIZE], expected[SIZE];

static void fill(void)
{
    for (int i = 0; i < SIZE; i++)
        memory[i] = expected[i] = i * i + 3;
}

static void check(const char *what, int a, int b, int c)
{
    if (memcmp(memory, expected, sizeof memory))
        printf("%s(%d, %d, %d): wrong\n", what, a, b, c);
}

#define COMPARE(NAME, N, P, Q, CALL_IN_TURN, CALL)                                                                   \
    do {                                                                                                             \
        fill();                                                                                                      \
        CALL_IN_TURN;                                                                                                \
        CALL;                                                                                                        \
        check(NAME, N, P, Q);                                                                                        \
    } while (0)

static void pairs(int n, int p, int q)
{
    long *e = expected, *m = memory;
    COMPARE("up", n, p, q, up_in_turn(n, e + p, e + q), up(n, m + p, m + q));
    COMPARE("down", n, p, q, down_in_turn(n, e + p, e + q), down(n, m + p, m + q));
    COMPARE("stepping", n, p, q, stepping_in_turn(n, -2, e + p + 24, e + q), stepping(n, -2, m + p + 24, m + q));
    COMPARE("offset", n, p, q, offset_in_turn(n, 3, e + p, e + q), offset(n, 3, m + p, m + q));
    COMPARE("three", n, p, q, three_in_turn(n, e + p, e + q, e + 48), three(n, m + p, m + q, m + 48));
    COMPARE("sums", n, p, q, sums_in_turn(n, 4, e + p, e + q), sums(n, 4, m + p, m + q));
    COMPARE("turned", n, p, q, turned_in_turn(n < 4 ? n : 4, 3, 5, e + p, e + q),
            turned(n < 4 ? n : 4, 3, 5, m + p, m + q));
    int bound_of = n;
    COMPARE("bound", n, p, q, bound_in_turn(&bound_of, e + p, e + q), bound(&bound_of, m + p, m + q));
    if (n >= 0) {
        COMPARE("large", n, p, q, large_in_turn(n, e + p, e + q), large(n, m + p, m + q));
        COMPARE("natural", n, p, q, natural_in_turn(n, e + p, e + q), natural(n, m + p, m + q));
    }
}

int main(void)
{
    static const int counts[] = {-2, 0, 1, 12};
    // Apart, side by side, one element in common at either end, one element further, equal.
    static const int places[][2] = {{0, 40}, {40, 0}, {4, 16}, {4, 15}, {15, 4}, {4, 5}, {5, 4}, {4, 4}};
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 8; j++)
            pairs(counts[i], places[j][0], places[j][1]);
    puts("all right");
    return 0;
}
