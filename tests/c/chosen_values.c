// Branches around an operation or two become choices, two comparisons with constants a question for a range:
// at the ends of ranges, in all widths, nested, where values change places, and where one way must not be gone.
// also: -O0
// also: -O3
#include <limits.h>
#include <stdio.h>

static int lower(int c) { return c >= 'A' && c <= 'Z' ? c + 'a' - 'A' : c; }
static int is_digit(char c) { return c >= '0' && c <= '9'; }
static int is_odd_range(int x) { return x > -5 && 7 > x; }
static int is_outside(int x) { return x < -100 || x > 100; }
static int is_byte(short x) { return x >= SCHAR_MIN && x <= SCHAR_MAX; }
static int is_empty_range(int x) { return x >= 10 && x <= 5; }
static int is_whole_range(int x) { return x >= INT_MIN && x <= INT_MAX; }
static int is_wide(int x) { return x >= -1500000000 && x <= 1500000000; }
static int is_half(int x) { return x >= -1000000000 && x <= 1000000000; }
static int is_unsigned_range(unsigned x) { return x >= 5 && x <= 4000000000u; }
static int is_long_range(long x) { return x >= -3 && x <= 5000000000; }
static int is_one_of_two(int x, int y) { return x >= 3 && y <= 5; }

static long digits(const char *text)
{
    long value = 0;
    while (*text >= '0' && *text <= '9')
        value = value * 10 + (*text++ - '0');
    return value;
}

static int divided(int a, int b)
{
    int result = -1;
    if (b != 0)
        result = a / b;
    return result;
}

static int loaded(const int *p)
{
    int result = 7;
    if (p)
        result = *p;
    return result;
}

static void in_order(int *a, int *b)
{
    int x = *a, y = *b;
    if (x > y) {
        int t = x;
        x = y;
        y = t;
    }
    *a = x;
    *b = y;
}

static int sign(int x) { return x < 0 ? -1 : x > 0 ? 1 : 0; }
static int between(int x, int low, int high) { return x < low ? low : x > high ? high : x; }

static int flag_of_its_own(int x)
{
    _Bool f = x > 3;
    int y = x;
    if (f) {
        f = x & 1;
        y = x + 10;
    } else {
        y = y - 2;
    }
    return y * 2 + f;
}

static int known_and_not(int x, _Bool p, _Bool q)
{
    _Bool both = p && q, any = p || q, none = !p && !q, first = p && !q;
    int count = 0;
    if (both)
        count += x;
    if (any)
        count ^= 5;
    if (none)
        count -= x;
    return count % 1000 * 16 + both * 8 + any * 4 + none * 2 + first;
}

static int of_real(double x, int a, int b)
{
    int result = a;
    if (x < 1.5)
        result = b + 1;
    return result;
}

static const char *of_pointers(int x, const char *a, const char *b)
{
    const char *result = a;
    if (x > 2)
        result = b + 1;
    return result;
}

static int steps(unsigned long n)
{
    int count = 0;
    for (; n != 1; count++)
        n = n % 2 ? 3 * n + 1 : n / 2;
    return count;
}

static int place(const int *sorted, int n, int what)
{
    int low = 0, high = n;
    while (low < high) {
        int middle = (low + high) / 2;
        if (sorted[middle] < what)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

int main(void)
{
    static const int ends[] = {INT_MIN, INT_MIN + 1, -1500000001, -1500000000, -1000000001, -1000000000, -129,
                               -128, -101, -100, -99, -6, -5, -4, -3, -1, 0, 1, 3, 4, 5, 6, 7, 8, 10, 47, 48, 57, 58,
                               64, 65, 90, 91, 100, 101, 127, 128, 1000000000, 1000000001, 1500000000, 1500000001,
                               INT_MAX - 1, INT_MAX};
    int n = sizeof ends / sizeof *ends;
    unsigned hash = 0;
    for (int i = 0; i < n; i++) {
        int x = ends[i];
        printf("%d: %d%d%d%d%d%d%d%d%d%d %d %d %d\n", x, is_digit((char)x), is_odd_range(x), is_outside(x),
               is_byte((short)x), is_empty_range(x), is_whole_range(x), is_wide(x), is_half(x),
               is_unsigned_range((unsigned)x), is_long_range(x * 4l), sign(x), between(x, -7, 90), lower(x));
        hash = hash * 31 + (unsigned)flag_of_its_own(x / 8) + (unsigned)of_real(x, x / 2, 5);
        hash = hash * 31 + (unsigned)place(ends, n, x) + (unsigned)is_one_of_two(x, ends[n - 1 - i]);
        for (int pair = 0; pair < 4; pair++)
            hash = hash * 31 + (unsigned)known_and_not(x / 8, pair & 1, pair >> 1);
    }
    int a = 9, b = 4, seven = 70;
    in_order(&a, &b);
    printf("%u %ld %ld %ld\n", hash, digits("1234567890x"), digits("/"), digits(":"));
    printf("%d %d %d %d %d %d\n", a, b, divided(7, 2), divided(7, 0), loaded(&seven), loaded(0));
    printf("%s %s %d\n", of_pointers(2, "abc", "def"), of_pointers(3, "abc", "def"), steps(27));
    return 0;
}
