// Tables of function pointers, comparison, casts, conditional calls, callbacks with state, pointers in structures.
#include <stdio.h>
#include <stdlib.h>

typedef double (*binary)(double, double);
static double add(double a, double b) { return a + b; }
static double sub(double a, double b) { return a - b; }
static double mul(double a, double b) { return a * b; }

static const struct { char name; binary f; } table[] = {{'+', add}, {'-', sub}, {'*', mul}, {0, 0}};

static binary lookup(char name)
{
    for (int i = 0; table[i].f; i++)
        if (table[i].name == name)
            return table[i].f;
    return NULL;
}

struct object {
    int state;
    void (*act)(struct object *self, int by);
};
static void grow(struct object *o, int by) { o->state += by; }
static void shrink(struct object *o, int by) { o->state -= by; o->act = grow; }

static int each(int (*f)(void *, int), void *state, int n)
{
    int r = 0;
    for (int i = 0; i < n; i++)
        r += f(state, i);
    return r;
}
static int accumulate(void *state, int i) { return *(int *)state += i; }

static void nothing(void) {}

int main(void)
{
    printf("%g %g %g\n", lookup('+')(2, 3), (*lookup('-'))(2, 3), (**lookup('*'))(2, 3));
    printf("%d %d\n", lookup('/') == NULL, lookup('+') == add);
    struct object o = {10, shrink};
    o.act(&o, 3);
    o.act(&o, 5);
    printf("%d\n", o.state);
    int state = 100;
    int sum = each(accumulate, &state, 5);
    printf("%d %d\n", sum, state);
    void (*generic)(void) = (void (*)(void))mul;
    printf("%g\n", ((binary)generic)(6, 7));
    printf("%g\n", (state > 0 ? add : sub)(1, 2));
    binary copy[3];
    for (int i = 0; i < 3; i++)
        copy[i] = table[2 - i].f;
    printf("%g\n", copy[0](copy[1](5, 1), copy[2](1, 1)));
    void (*n)(void) = state ? nothing : 0;
    if (n)
        n();
    int (*library)(int) = abs;
    printf("%d %d\n", library(-9), !library);
    return 0;
}
