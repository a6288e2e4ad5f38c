// Loops: empty parts, nested break and continue, do-while conditions, declarations in for, unsigned countdown.
#include <stdio.h>

int main(void)
{
    int n = 0;
    for (;;) {
        if (++n == 3)
            continue;
        if (n > 6)
            break;
    }
    printf("%d\n", n);
    do
        n--;
    while (n > 2 && n != 4);
    printf("%d\n", n);
    do {
        if (n == 4)
            continue;
        n = 100;
    } while (n++ < 5);
    printf("%d\n", n);
    int count = 0;
    for (int i = 0; i < 5; i++)
        for (int j = 0; j < 5; j++) {
            if (j == i)
                break;
            if ((i + j) % 2)
                continue;
            count++;
        }
    printf("%d\n", count);
    for (unsigned u = 3; u-- > 0;)
        printf("%u ", u);
    printf("\n");
    for (int i = 0, *p = &i, j = 10; *p < j; ++*p, j -= 2)
        printf("%d,%d ", i, j);
    printf("\n");
    while (n --> 3)
        if (n % 2) { } else continue;
    printf("%d\n", n);
    if (n) if (n > 100) printf("a\n"); else printf("dangling else\n");
    for (char c = 'a'; c <= 'e'; c += 2)
        putchar(c);
    putchar('\n');
    int i = 0;
    for (; i < 10; i++) ;
    while (i) { i >>= 1; if (!i) goto out; }
out:
    printf("%d\n", i);
    switch (3) { default: for (i = 0; i < 3; i++) { if (i == 1) continue; if (i == 2) break; } }
    printf("%d\n", i);
    ; ; {}
    return 0;
}
