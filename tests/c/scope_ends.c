// Every way to leave the scope of a variable with a clean-up; tables of label addresses.
#include <stdio.h>

static void bye(int *p) { printf("bye %d\n", *p); }
#define TIDY(name, value) __attribute__((cleanup(bye))) int name = value

struct pair { int a, b; };

static int early(int n)
{
    TIDY(outer, 10 * n);
    if (n == 1) {
        TIDY(inner, 11);
        return outer + inner;
    }
    for (int i = 0; i < 3; i++) {
        TIDY(each, 20 + i);
        if (i == 0)
            continue;
        if (i == n - 1)
            break;
        if (n == 4)
            goto out;
    }
    outer = 5;
out:
    return outer;
}

static struct pair last(void)
{
    struct pair result = {1, 2};
    return result;
}

static void reset(struct pair *p) { p->a = p->b = 0; }
static struct pair copied(void)
{
    __attribute__((cleanup(reset))) struct pair result = {3, 4};
    return result;
}

static int run(const unsigned char *code)
{
    static const void *const table[] = {&&halt, &&increment, &&jump_back, &&add};
    int value = 0, budget = 20;
#define NEXT goto *table[*code++]
    NEXT;
increment:
    value++;
    NEXT;
add:
    value += *code++;
    NEXT;
jump_back:
    if (--budget > 0)
        code -= 2;
    NEXT;
halt:
    return value;
}

int main(void)
{
    printf("%d\n", early(1));
    printf("%d\n", early(3));
    printf("%d\n", early(4));
    int x = ({ TIDY(temporary, 30); temporary + 1; });
    printf("%d\n", x);
    printf("%d %d %d\n", last().b, copied().a, copied().b);
    printf("%d\n", run((const unsigned char[]){1, 3, 40, 1, 2, 0}));
    return 0;
}
