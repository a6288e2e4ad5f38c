// The operator sizeof on types, unevaluated expressions, arrays against parameters, strings, compound types, results as size_t.
#include <stdio.h>

struct s { char a; int b; char c[3]; };
static int calls;
static long f(void) { calls++; return 0; }
static size_t parameter(int a[10]) { return sizeof a; }

int main(void)
{
    int i = 0, a[4][5];
    printf("%zu %zu %zu %zu %zu %zu\n", sizeof(char), sizeof(short), sizeof(int), sizeof(long), sizeof(long long), sizeof(_Bool));
    printf("%zu %zu %zu %zu %zu\n", sizeof(float), sizeof(double), sizeof(long double), sizeof(float _Complex), sizeof(void *));
    printf("%zu %zu %zu\n", sizeof f(), sizeof(i++), sizeof a[i++]);
    printf("%d %d\n", i, calls);
    printf("%zu %zu %zu %zu\n", sizeof a, sizeof *a, sizeof &a, sizeof **a);
    printf("%zu %zu\n", parameter(a[0]), sizeof parameter(0));
    printf("%zu %zu %zu\n", sizeof "four", sizeof 'c', sizeof(struct s));
    printf("%zu %zu\n", sizeof ((struct s *)0)->c, sizeof(((struct s *)0)->b + 1L));
    printf("%zu %zu %zu\n", sizeof(int (*)(void)), sizeof(struct s[3]), sizeof(union { char c[9]; int i; }));
    printf("%d %zu\n", sizeof(int) - 5 > 0, sizeof(int) * 2 + 1);
    printf("%zu %zu\n", sizeof(char) + sizeof(int), sizeof -1);
    printf("%zu %zu\n", sizeof(void), sizeof(f));
    printf("%zu\n", sizeof(int){1} + sizeof(int[]){1, 2, 3});
    return 0;
}
