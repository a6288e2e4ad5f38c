// Static locals, shadowing, block scope, extern inside functions, linkage.
#include <stdio.h>

int visible = 5;
static int hidden = 6;
extern int hidden_again;
int hidden_again = 7;

static int counter(void)
{
    static int n = 10;
    static int *self = &n;
    static const char *const names[] = {"a", "b"};
    return ++*self + (names[1][0] == 'b' ? 0 : 1000);
}

static int two(int which)
{
    if (which) {
        static int n = 100;
        return n++;
    }
    static int n = 200;
    return n++;
}

static int *leak(void)
{
    static int kept[3] = {1, 2, 3};
    return kept;
}

int main(void)
{
    counter();
    printf("%d\n", counter());
    printf("%d\n", counter());
    int a = two(0), b = two(1), c = two(0), d = two(1);
    printf("%d %d %d %d\n", a, b, c, d);
    leak()[1] = 20;
    printf("%d\n", leak()[1]);
    int visible = 1;
    {
        extern int visible;
        printf("%d %d\n", visible, hidden + hidden_again);
        visible = 50;
    }
    printf("%d\n", visible);
    for (int i = 0, visible = 9; i < 1; i++) {
        int i = 77;
        printf("%d %d\n", i, visible);
    }
    struct s { int x; } outer = {1};
    {
        struct s { double y, z; } inner = {2, 3};
        printf("%zu %zu\n", sizeof outer, sizeof inner);
    }
    enum { LOCAL = 3 };
    { enum { LOCAL = 4 }; printf("%d ", LOCAL); }
    printf("%d\n", LOCAL);
    return 0;
}
