// setjmp and longjmp: errors out of deep calls, values, repeated jumps, volatile locals.
#include <setjmp.h>
#include <stdio.h>

static jmp_buf handler;
static int depth;

static void fail(int code) { longjmp(handler, code); }
static int deep(int n)
{
    depth++;
    if (n == 0)
        fail(7);
    return deep(n - 1) + 1;
}

static int attempt(int n)
{
    jmp_buf local;
    volatile int tries = 0;
    int code = setjmp(local);
    if (code < n) {
        tries++;
        longjmp(local, code + 1);
    }
    return tries * 100 + code;
}

int main(void)
{
    volatile int kept = 1;
    switch (setjmp(handler)) {
    case 0:
        kept = 2;
        deep(10);
        printf("not reached\n");
        break;
    case 7:
        printf("seven, depth %d, kept %d\n", depth, kept);
        kept++;
        longjmp(handler, 0);
    case 1:
        printf("zero became one, kept %d\n", kept);
        break;
    }
    printf("%d %d\n", attempt(5), attempt(0));
    return 0;
}
