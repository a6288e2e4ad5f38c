/* Strings: KMP, Boyer-Moore-Horspool, a naive search, edit distance, longest common subsequence. */
#include "../loops/timing.h"
#include <string.h>
#include <stdint.h>

char *text;
static const char pattern[] = "abacabadabac";

static int kmp(const char *t, int n, const char *p, int m)
{
    int fail[m + 1], found = 0;
    fail[0] = -1;
    for (int i = 0, j = -1; i < m;) {
        while (j >= 0 && p[i] != p[j])
            j = fail[j];
        fail[++i] = ++j;
    }
    for (int i = 0, j = 0; i < n; i++) {
        while (j >= 0 && t[i] != p[j])
            j = fail[j];
        if (++j == m) {
            found++;
            j = fail[j];
        }
    }
    return found;
}

static int horspool(const unsigned char *t, int n, const unsigned char *p, int m)
{
    int skip[256], found = 0;
    for (int i = 0; i < 256; i++)
        skip[i] = m;
    for (int i = 0; i < m - 1; i++)
        skip[p[i]] = m - 1 - i;
    for (int at = 0; at + m <= n; at += skip[t[at + m - 1]]) {
        int i = m - 1;
        while (i >= 0 && t[at + i] == p[i])
            i--;
        found += i < 0;
    }
    return found;
}

static int naive(const char *t, const char *p)
{
    int found = 0;
    for (; *t; t++) {
        const char *a = t, *b = p;
        while (*b && *a == *b)
            a++, b++;
        if (!*b)
            found++;
    }
    return found;
}

static int min3(int a, int b, int c)
{
    int m = a < b ? a : b;
    return m < c ? m : c;
}

static int levenshtein(const char *a, int n, const char *b, int m)
{
    int row[m + 1];
    for (int j = 0; j <= m; j++)
        row[j] = j;
    for (int i = 1; i <= n; i++) {
        int diagonal = row[0];
        row[0] = i;
        for (int j = 1; j <= m; j++) {
            int up = row[j];
            row[j] = min3(row[j] + 1, row[j - 1] + 1, diagonal + (a[i - 1] != b[j - 1]));
            diagonal = up;
        }
    }
    return row[m];
}

static int table[401][401];

static int lcs(const char *a, int n, const char *b, int m)
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

void setup(long n)
{
    text = array(n + 1, 1);
    uint32_t seed = 3;
    for (long i = 0; i < n; i++) {
        seed = seed * 1664525 + 1013904223;
        text[i] = 'a' + ((seed >> 28) % 4 & (seed >> 24) % 4);
    }
    for (long i = 0; i + 20 < n; i += 997)
        memcpy(text + i, pattern, sizeof pattern - 1);
    text[n] = 0;
}

double kernel(long n)
{
    int m = strlen(pattern);
    long last = n - 400;
    double sum = kmp(text, n, pattern, m);
    sum = sum * 100 + horspool((unsigned char *)text, n, (unsigned char *)pattern, m);
    sum = sum * 100 + naive(text, pattern);
    for (int i = 0; i < 4; i++)
        sum += levenshtein(text + i * 500 % last, 400, text + (3000 + i * 777) % last, 400) * (i + 1);
    for (int i = 0; i < 4; i++)
        sum += lcs(text + i * 500 % last, 400, text + (3000 + i * 777) % last, 400) * (i + 1);
    return sum;
}
