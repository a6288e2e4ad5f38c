// Flexible array members and zero-length arrays.
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct text {
    unsigned short length;
    char bytes[];
};
struct old {
    int n;
    double values[0];
};
struct fixed {
    int n;
    int items[];
};
static struct fixed given = {3, {7, 8, 9}};

static struct text *make(const char *from)
{
    size_t n = strlen(from);
    struct text *t = malloc(sizeof *t + n);
    t->length = n;
    memcpy(t->bytes, from, n);
    return t;
}

int main(void)
{
    struct text *t = make("flexible");
    printf("%zu %zu %.*s\n", sizeof *t, offsetof(struct text, bytes), t->length, t->bytes);
    free(t);
    struct old *o = malloc(sizeof *o + 2 * sizeof(double));
    o->values[1] = 2.5;
    printf("%zu %g\n", sizeof *o, o->values[1]);
    free(o);
    printf("%d %d\n", given.items[0], given.items[given.n - 1]);
    return 0;
}
