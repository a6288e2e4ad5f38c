// Loops that never end, beside and inside of others: they are compiled, and not reached.
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

int main(void) {
    inner();
    printf("%d\n", jumps(10));
    a = -3;
    inner();
    printf("%d %d %d\n", a, b, c);
    return 0;
}
