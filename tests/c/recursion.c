// Recursion: mutual, deep, with arrays on the stack, through pointers.
#include <stdio.h>

static unsigned ackermann(unsigned m, unsigned n)
{
    return !m ? n + 1 : !n ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}
static int is_odd(unsigned n);
static int is_even(unsigned n) { return n == 0 || is_odd(n - 1); }
static int is_odd(unsigned n) { return n != 0 && is_even(n - 1); }

static int queens(int n, int row, int *columns)
{
    int solutions = 0;
    if (row == n)
        return 1;
    for (int c = 0; c < n; c++) {
        int ok = 1;
        for (int r = 0; r < row && ok; r++)
            ok = columns[r] != c && columns[r] - c != r - row && c - columns[r] != r - row;
        if (ok) {
            columns[row] = c;
            solutions += queens(n, row + 1, columns);
        }
    }
    return solutions;
}

static void hanoi(int n, char from, char to, char by, long *moves)
{
    if (n) {
        hanoi(n - 1, from, by, to, moves);
        ++*moves;
        hanoi(n - 1, by, to, from, moves);
    }
}

static long depth(int n)
{
    volatile char frame[100];
    frame[n % 100] = 1;
    return n ? depth(n - 1) + frame[n % 100] : 0;
}

static int permute(char *s, int k)
{
    if (!s[k]) {
        printf("%s ", s);
        return 1;
    }
    int n = 0;
    for (int i = k; s[i]; i++) {
        char t = s[k]; s[k] = s[i]; s[i] = t;
        n += permute(s, k + 1);
        t = s[k]; s[k] = s[i]; s[i] = t;
    }
    return n;
}

int main(void)
{
    int columns[8];
    long moves = 0;
    char word[] = "abc";
    printf("%u\n", ackermann(2, 9));
    printf("%d %d\n", is_even(1000), is_odd(1001));
    printf("%d\n", queens(8, 0, columns));
    hanoi(12, 'a', 'b', 'c', &moves);
    printf("%ld\n", moves);
    printf("%ld\n", depth(20000));
    printf("%d\n", permute(word, 0));
    return 0;
}
