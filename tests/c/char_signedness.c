// Plain char is signed here: comparison, shifts, indexing, conversion, division, in bit-fields and switch.
#include <limits.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
    char c = 200;
    signed char s = 200;
    unsigned char u = 200;
    printf("%d %d %d\n", c, s, u);
    printf("%d %d %d\n", CHAR_MIN, SCHAR_MIN, UCHAR_MAX);
    printf("%d %d\n", c >> 1, u >> 1);
    printf("%d %d\n", c / 7, u % 7);
    printf("%d %d %d\n", c == u, (unsigned char)c == u, s == c);
    char text[] = "\xe9t\xe9";
    int high = 0;
    for (char *p = text; *p; p++)
        high += *p < 0;
    printf("%d %zu\n", high, strlen(text));
    unsigned long wide = c;
    printf("%lx %lx\n", wide, (unsigned long)u);
    float f = c;
    printf("%g %g\n", f, (double)u);
    switch (c) {
    case 200: printf("unsigned\n"); break;
    case -56: printf("signed\n"); break;
    }
    c = -1;
    printf("%d %u %d\n", c, c, c < 1u);
    c = '\x80';
    printf("%d %d\n", -c, (char)-c);
    u = 0;
    u--;
    s = CHAR_MAX;
    s++;
    printf("%d %d\n", u, s);
    return 0;
}
