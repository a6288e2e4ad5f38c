// Calls inside calls, evaluation of arguments with side effects in different objects, results used in place.
#include <stdio.h>
#include <string.h>

struct matrix { double a[2][2]; };
static struct matrix product(struct matrix x, struct matrix y)
{
    struct matrix r = {{{0}}};
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++)
            for (int k = 0; k < 2; k++)
                r.a[i][j] += x.a[i][k] * y.a[k][j];
    return r;
}
static struct matrix power(struct matrix m, unsigned n)
{
    struct matrix one = {{{1, 0}, {0, 1}}};
    return n == 0 ? one : n % 2 ? product(m, power(m, n - 1)) : power(product(m, m), n / 2);
}
static int max(int a, int b) { return a > b ? a : b; }
static char *reverse(char *s)
{
    for (size_t i = 0, n = strlen(s); i < n / 2; i++) {
        char t = s[i];
        s[i] = s[n - 1 - i];
        s[n - 1 - i] = t;
    }
    return s;
}
static const char *digits(unsigned n, char *to)
{
    char *p = to;
    do
        *p++ = '0' + n % 10;
    while (n /= 10);
    *p = 0;
    return reverse(to);
}
static unsigned gcd(unsigned a, unsigned b) { return b ? gcd(b, a % b) : a; }

int main(void)
{
    struct matrix fib = {{{1, 1}, {1, 0}}};
    char a[16], b[16];
    printf("%.0f\n", power(fib, 70).a[0][1]);
    printf("%d\n", max(max(1, max(5, 2)), max(max(3, 4), 0)));
    printf("%s %s\n", digits(12345, a), digits(0, b));
    printf("%s\n", strcat(strcpy(a, "in"), strcpy(b, "side")));
    printf("%u\n", gcd(gcd(48, 36), gcd(60, 84)));
    printf("%d\n", printf("%d", printf("%s", "ab")) + 0);
    printf("%zu\n", strlen(reverse(strcpy(a, "palindrome"))) + strlen(a));
    return 0;
}
