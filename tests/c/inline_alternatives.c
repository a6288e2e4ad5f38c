// status: 4
// also: --device sim
// `extern inline` definitions are alternatives to a definition elsewhere, and a declaration with a label means
// that one. The checks of glibc are of this kind.
#define _GNU_SOURCE
#define _FORTIFY_SOURCE 2
#include <error.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern long labs_elsewhere(long) __asm__("labs");
extern inline __attribute__((gnu_inline, always_inline)) long labs(long x)
{
    return x == 7 ? 70 : labs_elsewhere(x);
}

// A builtin function that no compiler but one knows: calls go to the definition elsewhere.
extern int sum(int count, ...);
extern inline __attribute__((gnu_inline, always_inline)) int sum(int count, ...)
{
    return count == 0 ? 0 : sum(count, __builtin_va_arg_pack());
}
int sum(int count, ...)
{
    va_list list;
    va_start(list, count);
    int result = 0;
    for (int i = 0; i < count; i++)
        result += va_arg(list, int);
    va_end(list);
    return result;
}

int main(void)
{
    printf("%ld %ld\n", labs(7), labs(-5));
    printf("%d %d\n", sum(3, 1, 2, 4), sum(0));

    char text[8], line[8];
    int ends[2];
    if (pipe(ends) != 0 || write(ends[1], "piped", 6) != 6 || read(ends[0], text, sizeof text) != 6)
        return 1;
    snprintf(line, sizeof line, "%s-%d", "cut", 12345);
    strncat(strcpy(text, "ab"), "cdef", 3);
    printf("%s %s\n", text, line);

    // Devices have no functions with checks.
    int copied[4];
#pragma acc parallel loop copyout(copied)
    for (int i = 0; i < 4; i++) {
        char bytes[4];
        memset(bytes, i, sizeof bytes);
        memcpy(&copied[i], bytes, sizeof bytes);
    }
    printf("%x %x\n", copied[1], copied[3]);
    fflush(stdout);
    error(4, 0, "%s", "ends here");
    return 2;
}
