// Loops that never end, beside and inside of others: they are compiled, and not reached.
// also: --verify
#include <stdio.h>

int a, b, e;
unsigned char c;

static void inner(void) {
    for (; a; a++) {
        b = (b == 0) ^ (129 + a);
        c = b * 9;
        e = c < 1;
        if (e)
            for (;;)
                ;
    }
}

static int jumps(int n) {
    int sum = 0;
    for (int i = 0; i < n; i++) {
        sum += i;
        if (sum > 1000) {
        again:
            if (sum > 2000) goto other;
            goto again;
        other:
            goto again;
        }
    }
    return sum;
}

/* The loop ends by neither its condition nor its step. */
static void forever(void) {
    for (int i = 0; i < 2834; i++)
        for (;;)
            ;
}

static void leaves_at_once(int *p) {
    for (int i = 0; i < 10; i++) {
        *p += i;
        break;
    }
    for (char c = 'a'; c <= 'e'; c + 2)
        a++;
}

int main(int argc, char **argv) {
    if (argc > 100) {
        forever();
        leaves_at_once(&b);
    }
    inner();
    printf("%d\n", jumps(10));
    a = -3;
    inner();
    printf("%d %d %d\n", a, b, c);
    return 0;
}
