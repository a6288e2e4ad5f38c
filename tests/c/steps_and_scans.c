/* Elements that are named twice, pointers that step while what they pointed to is used, tables of ctype.h. */
#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static char *copy_field(char *s, char *out, char end)
{
    while (*s != end && *s != '\n' && *s)
        *out++ = *s++;
    *out = 0;
    return s;
}

/* The text is read where it was just written. */
static void smear(char *s)
{
    char *out = s + 1;
    while (*s && *out)
        *out++ = *s++;
}

static int table[20][20];

static int common(const char *a, int n, const char *b, int m)
{
    for (int i = 0; i <= n; i++)
        for (int j = 0; j <= m; j++) {
            if (i == 0 || j == 0)
                table[i][j] = 0;
            else if (a[i - 1] == b[j - 1])
                table[i][j] = table[i - 1][j - 1] + 1;
            else
                table[i][j] = table[i - 1][j] > table[i][j - 1] ? table[i - 1][j] : table[i][j - 1];
        }
    return table[n][m];
}

static int bubbles(int *a, int n)
{
    int swaps = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j + 1 < n - i; j++)
            if (a[j] > a[j + 1]) {
                int t = a[j];
                a[j] = a[j + 1];
                a[j + 1] = t;
                swaps++;
            }
    return swaps;
}

/* An index that moves in between, on one way or on both. */
static int wander(int *a, int n)
{
    int i = 0, sum = 0;
    while (i + 2 < n) {
        int before = a[i];
        if (before & 1)
            i++;
        sum = sum * 3 + a[i];
        if (a[i] > 5)
            a[i++] -= 2;
        else
            a[++i] += 1;
        sum += a[i] - before;
    }
    return sum;
}

static unsigned words(const char *s)
{
    int count = 0, digits = 0;
    unsigned upper = 0;
    while (*s) {
        while (isspace((unsigned char)*s))
            s++;
        if (*s)
            count++;
        while (*s && !isspace((unsigned char)*s)) {
            digits += isdigit((unsigned char)*s) != 0;
            upper = upper * 3 + toupper((unsigned char)*s++);
        }
    }
    return count * 1000000 + digits * 10000 + upper % 9973;
}

static double draws(uint64_t x, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++) {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        sum += (x >> 11) * (1.0 / 9007199254740992.0) + (x & 0xffff) + (double)x * 0x1p-64 + (float)(x >> 1);
        sum -= (double)(x | 1ull << 63) * 0x1p-60;
    }
    return sum;
}

static float norm2(const float *a, const float *b)
{
    float sum = 0;
    for (int i = 0; i < 3; i++) {
        float d = a[i] - b[i];
        sum += d * d;
    }
    return sum;
}

static int nearest(float (*points)[3], int n, const float *x)
{
    int best = 0;
    float least = norm2(points[0], x);
    for (int i = 1; i < n; i++) {
        float d = norm2(points[i], x);
        if (d < least) {
            least = d;
            best = i;
        }
    }
    return best;
}

static unsigned char median(const unsigned char *p, int stride)
{
    unsigned char v[9];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            v[i * 3 + j] = p[(i - 1) * stride + j - 1];
    for (int i = 1; i < 9; i++)
        for (int j = i; j > 0 && v[j - 1] > v[j]; j--) {
            unsigned char t = v[j];
            v[j] = v[j - 1];
            v[j - 1] = t;
        }
    return v[4];
}

int main(void)
{
    char text[] = "one,two three\nfour", field[32];
    char *s = copy_field(text, field, ',');
    printf("%s|%s|", field, s);
    s = copy_field(s + 1, field, ',');
    printf("%s|%d\n", field, (int)(s - text));
    smear(text + 3);
    printf("%s\n", text);
    printf("%d\n", common("abcbdab", 7, "bdcaba", 6));
    int numbers[12] = {5, 3, 9, 1, 8, 2, 7, 7, 0, 6, 4, 11};
    printf("%d\n", wander(numbers, 12));
    printf("%d\n", bubbles(numbers, 12));
    for (int i = 0; i < 12; i++)
        printf("%d ", numbers[i]);
    printf("\n%u\n", words(" A few w0rds, 12 digits\tand\nlines "));
    printf("%.17g\n", draws(88172645463325252ull, 50));
    float points[4][3] = {{0, 0, 0}, {1, 2, 3}, {2, 2, 2}, {-1, 0, 4}}, x[3] = {1.5f, 2.25f, 2.5f};
    printf("%d\n", nearest(points, 4, x));
    unsigned char grid[25];
    for (int i = 0; i < 25; i++)
        grid[i] = i * 53 + 7;
    printf("%d %d\n", median(grid + 6, 5), median(grid + 12, 5));
    return 0;
}
