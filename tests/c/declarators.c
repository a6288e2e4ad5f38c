// Declarators: pointers to arrays, arrays of function pointers, functions that return them, qualifiers in every place.
#include <stdio.h>

static int twice(int x) { return 2 * x; }
static int thrice(int x) { return 3 * x; }

static int (*choose(int which))(int)
{
    return which ? thrice : twice;
}
static int (*(*chooser)(int))(int) = choose;

typedef int row[3];
static row table[2] = {{1, 2, 3}, {4, 5, 6}};
static int (*row_of(int i))[3] { return &table[i]; }

static int sum(int n, const int a[static 1]) { return n ? a[n - 1] + sum(n - 1, a) : 0; }
static int apply(int f(int), int x) { return f(x); }
static int unnamed(int, int (*)(int), char *[]);

int main(void)
{
    int (*ops[2])(int) = {twice, thrice};
    int (*(*pointer_to_ops)[2])(int) = &ops;
    const char *const *const words = (const char *const[]){"zero", "one", "two"};
    int x = 7, *const fixed = &x, *volatile *const chain = (int *volatile[]){&x};
    char *list[] = {"a", "b", 0};

    printf("%d %d\n", choose(0)(5), choose(1)(5));
    printf("%d\n", chooser(1)(9));
    printf("%d %d\n", (*row_of(1))[2], row_of(0)[0][1]);
    printf("%d %d\n", (*pointer_to_ops)[1](4), (**pointer_to_ops)(4));
    printf("%s %c\n", words[2], *words[1]);
    *fixed = 8;
    printf("%d %d\n", **chain, x);
    printf("%d\n", sum(3, table[1]));
    printf("%d %d\n", apply(twice, 21), apply(&thrice, 21));
    printf("%d\n", unnamed(3, *ops, list));
    printf("%zu %zu %zu\n", sizeof(int (*)[3]), sizeof(int[3][4]), sizeof *row_of(0));
    return 0;
}

static int unnamed(int a, int (*f)(int), char *list[])
{
    int n = 0;
    while (list[n])
        n++;
    return f(a) + n;
}
