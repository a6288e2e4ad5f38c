// _Bool: conversion to it, arithmetic on it, in structures, arrays, arguments, bit operations.
#include <stdbool.h>
#include <stdio.h>

struct flags { bool a, b; bool bits : 1; int n; };
static bool negate(bool b) { return !b; }
static bool is_set(int flags, int bit) { return flags & bit; }
static int count(int n, const bool *list)
{
    int c = 0;
    while (n--)
        c += list[n];
    return c;
}

int main(void)
{
    bool t = 5, f = 0, p = &t, d = 0.1, n = -0.0;
    printf("%d %d %d %d %d %zu\n", t, f, p, d, n, sizeof t);
    printf("%d %d\n", negate(17), is_set(256, 256));
    t++;
    f--;
    printf("%d %d\n", t, f);
    t *= 4;
    f &= 2;
    printf("%d %d\n", t, f);
    printf("%d %d %d\n", ~t, -t, t + t);
    bool list[] = {1, 0, 2, true, false, 100};
    printf("%d\n", count(6, list));
    struct flags s = {.a = 3, .bits = 2, .n = 256};
    s.b = s.n;
    printf("%d %d %d\n", s.a, s.b, s.bits);
    bool *q = &s.a;
    *q ^= true;
    printf("%d\n", s.a);
    printf("%d\n", (bool)256 + (char)256);
    unsigned char byte = 0x80;
    t = byte & 0x80;
    f = byte >> 8;
    printf("%d %d\n", t, f);
    t = f = 3;
    printf("%d\n", t == f && t == 1);
    switch (t) { case true: printf("yes\n"); break; case false: printf("no\n"); }
    printf("%d %d\n", __bool_true_false_are_defined, true + false);
    return 0;
}
