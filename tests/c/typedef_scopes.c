// Typedef names: shadowing by variables, members and labels with the same name, in declarators and casts.
#include <stdio.h>

typedef int T;
typedef struct T { T T; } S;
typedef T (*F)(T);
typedef T pair[2];
typedef unsigned long size;

static T f(T T) { return T + 1; }
static int g(T (T)); /* the parameter is a function from T to T */
static int g(T h(T)) { return h(4) * 2; }
static const size n = 3;

int main(void)
{
    S s = {5};
    pair p = {1, 2};
    F functions[] = {f, f};
    printf("%d %d %d %d\n", s.T, p[1], functions[0](1), g(functions[1]));
    {
        T T = 3;
        printf("%d %zu\n", T * (T), sizeof T);
        T: T++;
        if (T < 6)
            goto T;
        printf("%d\n", T);
    }
    T x = (T)2.9, *y = &x;
    printf("%d %d\n", x, (T)*y);
    for (T T = 0; T < 2; T++)
        printf("%d ", T);
    printf("\n");
    {
        typedef double T;
        T d = 1.5;
        printf("%g %zu\n", d, sizeof(T));
    }
    struct T t = {.T = 9};
    const pair *q = &(const pair){7, 8};
    printf("%d %d\n", t.T, (*q)[1]);
    unsigned size = 4;
    long unsigned int static const extra = 5;
    printf("%u %lu %lu\n", size, n, extra);
    return 0;
}
