// Compound literals: as arguments, with addresses, arrays of them, at file scope, in loops.
#include <stdio.h>

struct pair { int a, b; };
static struct pair *shared = &(struct pair){1, 2};
static int *numbers = (int[]){5, 6, 7};

static int total(const struct pair *p) { return p->a + p->b; }
static struct pair swap(struct pair p) { return (struct pair){p.b, p.a}; }
static int sum(const int *a, int n)
{
    int s = 0;
    for (int i = 0; i < n; i++)
        s += a[i];
    return s;
}

int main(void)
{
    printf("%d %d\n", total(shared), numbers[2]);
    shared->a = 10;
    printf("%d\n", total(shared));
    printf("%d\n", total(&(struct pair){.b = 4}));
    printf("%d\n", sum((int[]){1, 2, 3, 4}, 4));
    printf("%d %d\n", swap((struct pair){8, 9}).a, swap(*shared).b);
    int *last = 0;
    for (int i = 0; i < 3; i++) {
        int *p = (int[2]){i};
        p[1] += i * 10;
        last = p;
        printf("%d %d\n", p[0], p[1]);
    }
    (void)last;
    printf("%s\n", (char[]){"text"} + 1);
    printf("%zu %zu\n", sizeof(int[]){1, 2, 3}, sizeof (struct pair){0});
    (struct pair){1, 1}.a;
    int x = (int){3} + (int){4};
    printf("%d %d\n", x, ((struct pair){6, 7}).b);
    const struct { struct pair p[2]; } *nested = (void *)&(struct { struct pair q[2]; }){{{1, 2}, {3, 4}}};
    printf("%d\n", nested->p[1].a);
    return 0;
}
