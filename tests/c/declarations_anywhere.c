// Declarations mixed with statements, specifiers in any order, several declarators, scope of a name in its initialiser.
#include <stdio.h>

int static unsigned long long const big = 1ull << 60, *pointer_to_big = &big;
long signed int x = 3;
double long ld = 2.5L;
short unsigned us = 65535;
char unsigned uc = 200;
static int f(int), a = 1, *p = &a, g(void), arr[2] = {5, 6}, (*q)(int) = f;
static int f(int x) { return x + 1; }
static int g(void) { return 2; }

int main(void)
{
    printf("%llu %llu %ld %Lg %u %u\n", big, *pointer_to_big, x, ld, us, uc);
    printf("%d %d %d %d\n", *p, q(4), g(), arr[1]);
    int n = 3;
    n++;
    int m = n * 2, k = m + n;
    printf("%d %d\n", m, k);
    int y = sizeof y;
    printf("%d\n", y);
    struct inner { int v; } first = {1}, *second = &first;
    struct outer { struct inner list[2]; } o = {{first, *second}};
    printf("%d\n", o.list[1].v + second->v);
    if (n > 2) {
        int n = 100;
        n++;
        printf("%d\n", n);
    }
    for (int i = 0; i < 2; i++) {
        int fresh = 0;
        static int kept = 0;
        fresh++;
        kept++;
        printf("%d %d\n", fresh, kept);
    }
    extern int later;
    printf("%d\n", later);
    auto int automatic = 7;
    register int quick = 8;
    printf("%d\n", automatic + quick);
    return n == 4 ? 0 : 1;
}

int later = 99;
