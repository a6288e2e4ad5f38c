// Shapes of switch, Duff's device, ranges, fall-through, nested, sparse and wide cases, default in the middle, no body.
#include <limits.h>
#include <stdio.h>

static void copy(char *to, const char *from, int n)
{
    int rounds = (n + 3) / 4;
    switch (n % 4) {
    case 0: do { *to++ = *from++;
    case 3:      *to++ = *from++;
    case 2:      *to++ = *from++;
    case 1:      *to++ = *from++;
            } while (--rounds > 0);
    }
}

static const char *kind(int c)
{
    switch (c) {
    case '0' ... '9': return "digit";
    case 'a' ... 'z':
    case 'A' ... 'Z': return "letter";
    default: return "other";
    case ' ': return "blank";
    }
}

static int wide(unsigned long long x)
{
    switch (x) {
    case 0: return 0;
    case 0xffffffffull: return 1;
    case 0x100000000ull: return 2;
    case ULLONG_MAX: return 3;
    }
    return -1;
}

static int narrow(signed char c)
{
    switch (c) {
    case -128: return 1;
    case 127: return 2;
    case -1: return 3;
    }
    return 0;
}

static int nested(int a, int b)
{
    int r = 0;
    switch (a) {
    case 1:
        switch (b) {
        case 1: r += 1; break;
        case 2: r += 2;
        default: r += 10;
        }
        r += 100;
    case 2:
        r += 1000;
        break;
    default:
        for (int i = 0; i < 5; i++) {
            switch (i) {
            case 1: continue;
            case 3: goto out;
            }
            r++;
        }
    out:
        r += 5;
    }
    return r;
}

static int dense(int x)
{
    switch (x) {
    case 3: return 33; case 4: return 44; case 5: return 55; case 6: return 66; case 7: return 77;
    case 8: return 88; case 9: return 99; case 10: return 110; case -1000000: return 1; case 1000000: return 2;
    }
    return 0;
}

int main(void)
{
    char to[12] = {0};
    copy(to, "duff device", 11);
    printf("%s\n", to);
    printf("%s %s %s %s %s\n", kind('5'), kind('q'), kind('Q'), kind('#'), kind(' '));
    printf("%d %d %d %d %d\n", wide(0), wide(0xffffffff), wide(1ull << 32), wide(-1), wide(7));
    printf("%d %d %d %d\n", narrow(-128), narrow(127), narrow(-1), narrow(0));
    printf("%d %d %d %d %d\n", nested(1, 1), nested(1, 2), nested(1, 3), nested(2, 0), nested(9, 9));
    for (int i = 2; i < 12; i++)
        printf("%d ", dense(i));
    printf("%d %d\n", dense(-1000000), dense(1000000));
    int n = 3;
    switch (n++) ;
    switch (n) { int unused; unused = 1; (void)unused; case 4: printf("four\n"); }
    switch (n) case 4: printf("alone\n");
    switch (n > 3 && n < 9) { case 1: printf("true\n"); }
    switch ((enum { A = 4 })n) { case A: printf("enum\n"); }
    return 0;
}
