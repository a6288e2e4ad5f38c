// Objects that are volatile, every access happens, in loops, structures, through pointers, in compound assignments.
#include <stdio.h>

static volatile int flag;
static volatile struct { int a; volatile short b; } shared;
static volatile unsigned char bytes[4];

static int spin(volatile int *p)
{
    int n = 0;
    while (*p < 10) {
        (*p)++;
        n++;
    }
    return n;
}

int main(void)
{
    flag = 3;
    flag += flag;
    printf("%d\n", flag);
    int rounds = spin(&flag);
    printf("%d %d\n", rounds, flag);
    shared.a = 70000;
    shared.b = shared.a;
    printf("%d\n", shared.b);
    for (volatile int i = 0; i < 4; i++)
        bytes[i] = i * 100;
    printf("%d %d %d %d\n", bytes[0], bytes[1], bytes[2], bytes[3]);
    volatile double d = 0.1;
    double e = d + d + d;
    printf("%d\n", e == 0.3);
    int *volatile p = (int *)&flag;
    *p = 1;
    printf("%d\n", flag++ == 1);
    flag;
    (void)flag;
    volatile struct { int x[3]; } v = {{1, 2, 3}}, w = v;
    printf("%d\n", w.x[2]);
    return 0;
}
