// The string library, with overlapping moves, embedded zeros, comparison signs, tokens and conversions.
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int sign(int x) { return (x > 0) - (x < 0); }

int main(void)
{
    char a[32] = "hello", b[32];
    printf("%zu %zu\n", strlen(a), sizeof "a\0b");
    strcpy(b, a);
    strcat(b, ", world");
    strncat(b, "!!!!", 2);
    puts(b);
    memmove(b + 2, b, 5);
    puts(b);
    memset(b, 'x', 3);
    puts(b);
    printf("%d %d %d %d\n", sign(strcmp("a", "b")), sign(strcmp("b", "a")), strcmp("", ""), sign(strncmp("abc", "abd", 2)));
    printf("%d\n", sign(memcmp("\x80", "\x7f", 1)));
    printf("%s %s %s %s\n", strchr(a, 'l'), strrchr(a, 'l'), strstr(a, "lo"), strpbrk(a, "xyzo"));
    printf("%zu %zu\n", strspn("aabbc", "ab"), strcspn("aabbc", "c"));
    char list[] = "one,two;;three", *rest, *word;
    for (word = strtok_r(list, ",;", &rest); word; word = strtok_r(0, ",;", &rest))
        printf("<%s>", word);
    printf("\n%ld %lu %g\n", strtol("-0x1fz", &rest, 16), strtoul("777", 0, 8), strtod("1e-3xyz", 0));
    puts(rest);
    printf("%d %d %g\n", atoi("  42abc"), atoi("x"), atof("2.5"));
    for (char *p = a; *p; p++)
        *p = isalpha((unsigned char)*p) ? toupper((unsigned char)*p) : *p;
    puts(a);
    strncpy(b, "ab", 6);
    printf("%d%d%d\n", b[1], b[2], b[5]);
    char *copy = strdup("duplicate");
    printf("%s %p\n", copy, memchr(copy, 'z', 9));
    free(copy);
    int n, count = sscanf("12 abc 3.5", "%d %15s %*f", &n, b);
    printf("%d %s %d\n", n, b, count);
    snprintf(b, 6, "%s", "truncated");
    printf("%s|%10.3s|%-6s|%c\n", b, "abcdef", "ab", 'z');
    return 0;
}
