// Counters and subscripts that are extended to 64 bits once: where they end, what else uses them, what wraps.
#include <limits.h>
#include <setjmp.h>
#include <stdio.h>
#include <string.h>

static int cells[64];
static double rows[8][16];

static void clear(void)
{
    for (int i = 0; i < 64; i++)
        cells[i] = i * i % 7;
}

static unsigned sum(void)
{
    unsigned s = 0;
    for (int i = 0; i < 64; i++)
        s = s * 31 + (unsigned)cells[i];
    return s;
}

/* No iteration at all, bounds of every sign, the step in both directions. */
static void fill(int from, int to, int step, int value)
{
    if (step == 1)
        for (int i = from; i < to; i++)
            cells[i + 8] = value + i;
    else if (step == -1)
        for (int i = to; i >= from; i--)
            cells[i + 8] += value;
    else
        for (int i = from; i <= to; i += 3)
            cells[8 - i] ^= value;
}

/* The counter is used behind the loop, and as a number in it. */
static int first_zero(const int *a, int n)
{
    int i;
    for (i = 0; i < n; i++)
        if (a[i] == 0)
            break;
    return i;
}

static double weights(double *a, int n)
{
    double s = 0;
    for (int i = 1; i < n; i++) {
        a[i] = a[i - 1] * 0.5 + i;
        s += a[i] * i;
    }
    return s;
}

/* The bound changes in the loop, and so does what was the bound. */
static int shrink(int *a, int n)
{
    int steps = 0;
    for (int i = 0; i < n; i++) {
        if (a[i] & 1)
            n--;
        a[i] += i;
        steps++;
    }
    return steps;
}

/* The body moves the counter as well. */
static int skip(const char *text)
{
    int words = 0;
    for (int i = 0; text[i]; i++) {
        if (text[i] == '\\')
            i++;
        else if (text[i] == ' ')
            words++;
    }
    return words;
}

/* An unsigned counter wraps around, through a subscript of a smaller type, too. */
static unsigned around(const unsigned char *a)
{
    unsigned s = 0, count = 0;
    for (unsigned i = UINT_MAX - 3; i != 5; i++) {
        s += a[(unsigned char)i];
        count++;
    }
    for (unsigned i = 7; i + 1 > 0; i--)
        s = s * 3 + a[i];
    for (int i = 0; i < 300; i++)
        s += a[(unsigned char)(i - 20)];
    return s * 1000 + count;
}

/* The last counter that an int holds. */
static int at_the_end(const char *a)
{
    const char *far = a - (INT_MAX - 4);
    int s = 0;
    for (int i = INT_MAX - 4; i < INT_MAX; i++)
        s = s * 10 + far[i];
    return s;
}

/* Steps of one variable in one block, forth and back; the variable is changed between. */
static int pack(char *out, const char *in, int n)
{
    int k = 0;
    for (int i = 0; i < n; i++) {
        out[k++] = in[i];
        out[k++] = (char)(in[i] ^ 1);
        if (in[i] == 'c')
            k -= 2;
        out[k] = '.';
        out[++k] = in[i];
        k = k * 2 - k;
        out[k--] = '-';
        out[k++] = '+';
    }
    return k;
}

/* A loop that only goto makes. */
static int jumps(int n)
{
    int i = 0, s = 0;
again:
    if (i < n) {
        s += cells[i + 1] - cells[i];
        i += 2;
        goto again;
    }
    return s * 100 + i;
}

static void relax(int n, int m)
{
    for (int i = 1; i < n; i++)
        for (int j = 1; j <= m; j++)
            rows[i][j] = 0.25 * (rows[i - 1][j] + rows[i + 1][j] + rows[i][j - 1] + rows[i][j + 1]);
}

/* Two subscripts of one array that differ by what only the run tells. */
static void shift(int *a, int n, int by)
{
    for (int i = 8; i < n; i++)
        a[i] = a[i - by] + a[i - 8];
}

static jmp_buf back;

static int leave(int n)
{
    volatile int seen = 0;
    int fixed = n + 1;
    if (setjmp(back) == 0)
        for (int i = 0; i < n; i++) {
            seen = cells[i + 1];
            if (i == 9)
                longjmp(back, 1);
        }
    return seen * 100 + fixed;
}

int main(void)
{
    clear();
    fill(0, 0, 1, 5);
    fill(3, -3, 1, 5);
    fill(3, -3, -1, 5);
    fill(-8, 50, 1, 9);
    fill(-5, 20, -1, 2);
    fill(-20, 8, 3, 77);
    printf("%u\n", sum());
    printf("%d %d %d\n", first_zero(cells, 64), first_zero(cells, 0), first_zero(cells, -4));
    double a[20] = { 3 };
    printf("%.17g", weights(a, 20));
    printf(" %.17g\n", weights(a, 1));
    clear();
    int steps = shrink(cells, 60);
    steps = steps * 10 + shrink(cells, 0);
    printf("%d %u\n", steps, sum());
    printf("%d\n", skip("a b\\ c d\\\\ e"));
    unsigned char bytes[256];
    for (int i = 0; i < 256; i++)
        bytes[i] = (unsigned char)(i * 7 + 3);
    printf("%u\n", around(bytes));
    printf("%d\n", at_the_end("\1\2\3\4\5"));
    char out[200];
    memset(out, '_', sizeof out);
    int length = pack(out, "abcdcc", 6);
    out[40] = 0;
    printf("%d %s\n", length, out);
    printf("%d %d\n", jumps(20), jumps(-1));
    for (int i = 0; i < 8; i++)
        for (int j = 0; j < 16; j++)
            rows[i][j] = i * 3 + j % 5;
    relax(7, 14);
    relax(1, 14);
    relax(7, 0);
    double total = 0;
    for (int i = 0; i < 8; i++)
        for (int j = 0; j < 16; j++)
            total = total * 0.99 + rows[i][j];
    printf("%.17g\n", total);
    for (int by = -2; by <= 8; by += 5) {
        clear();
        shift(cells, 60, by);
        printf("%u ", sum());
    }
    clear();
    printf("\n%d %d\n", leave(20), leave(5));
    return 0;
}
