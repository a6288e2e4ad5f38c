// Jumps by goto into and out of loops and blocks, backwards, computed through labels as values.
#include <stdio.h>

static int collatz(int n)
{
    int steps = 0;
loop:
    if (n == 1)
        goto done;
    if (n % 2)
        goto odd;
    n /= 2;
    goto counted;
odd:
    n = 3 * n + 1;
counted:
    steps++;
    goto loop;
done:
    return steps;
}

static int find(int a[3][3], int what)
{
    int i, j;
    for (i = 0; i < 3; i++)
        for (j = 0; j < 3; j++)
            if (a[i][j] == what)
                goto found;
    return -1;
found:
    return i * 3 + j;
}

static int interpret(const char *program)
{
    static const void *const table[] = {&&add, &&twice, &&stop};
    int value = 0;
    goto *table[*program++ - 'a'];
add:
    value++;
    goto *table[*program++ - 'a'];
twice:
    value *= 2;
    goto *table[*program++ - 'a'];
stop:
    return value;
}

int main(void)
{
    int a[3][3] = {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}}, i = 10;
    printf("%d %d\n", collatz(27), collatz(1));
    printf("%d %d\n", find(a, 6), find(a, 10));
    printf("%d\n", interpret("aababc"));
    goto middle;
    for (i = 0; i < 3; i++) {
        printf("top %d\n", i);
    middle:
        printf("middle %d\n", i);
        if (i == 10)
            i = 0;
    }
    {
        int once = 0;
    back:
        if (!once) {
            once = 1;
            goto back;
        }
        printf("once %d\n", once);
    }
    return 0;
}
