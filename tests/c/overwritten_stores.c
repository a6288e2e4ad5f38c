// Stores that others overwrite, and what may see them in between: loads by other pointers and of other
// widths, calls, ways that do not overwrite, iterations.
// options: -fno-strict-aliasing
#include <setjmp.h>
#include <stdio.h>
#include <string.h>

#define NEVER_INLINE __attribute__((noinline)) static

static int cells[16];
static jmp_buf back;

#define ORDER(a, b)                                                                                 \
    {                                                                                               \
        int x = p[a], y = p[b];                                                                     \
        p[a] = x < y ? x : y;                                                                       \
        p[b] = x < y ? y : x;                                                                       \
    }

NEVER_INLINE void sort_four(int *p) {
    ORDER(0, 1) ORDER(2, 3) ORDER(0, 2) ORDER(1, 3) ORDER(1, 2)
}

NEVER_INLINE int seen(void) { return cells[3]; }

NEVER_INLINE int by_another(int *p, int *q) {
    *p = 1;
    int was = *q;
    *p = 2;
    return was;
}

NEVER_INLINE int by_a_call(int n) {
    cells[3] = n;
    int was = seen();
    cells[3] = 0;
    return was;
}

NEVER_INLINE int by_bytes(int n) {
    unsigned char byte;
    cells[4] = n;
    memcpy(&byte, (char *)&cells[4] + 1, 1);
    cells[4] = 5;
    return byte;
}

NEVER_INLINE void on_ways(int n) {
    cells[5] = 1;
    cells[6] = 1;
    if (n > 3) {
        cells[5] = 2;
        cells[6] = n;
    } else {
        cells[5] = 3;
    }
    if (n == 7) return;
    cells[6] += 10;
}

NEVER_INLINE int in_a_loop(int n, int *p) {
    int sum = 0;
    for (int i = 0; i < n; i++) {
        p[i] = i;
        sum += p[i / 2];
        p[i] = i * 3;
    }
    p[0] = 9;
    return sum;
}

NEVER_INLINE void halves(long long *p) {
    ((int *)p)[0] = 1;
    ((int *)p)[1] = 2;
    *p = 3;
    ((int *)p)[1] = 4;
}

NEVER_INLINE void leave(void) { longjmp(back, 1); }

NEVER_INLINE int by_a_jump(void) {
    if (setjmp(back)) return cells[7];
    cells[7] = 11;
    leave();
    cells[7] = 12;
    return 0;
}

int main(void) {
    int p[4], one = 0, two = 0;
    for (int n = 0; n < 24; n++) {
        p[0] = n * 7 % 5, p[1] = n * 5 % 7, p[2] = n % 4, p[3] = 24 - n;
        sort_four(p);
        printf("%d %d %d %d;", p[0], p[1], p[2], p[3]);
    }
    int apart = by_another(&one, &two), same = by_another(&one, &one);
    printf("\n%d %d %d %d\n", apart, same, by_a_call(8), by_bytes(0x1234));
    for (int n = 2; n < 9; n++) {
        on_ways(n);
        printf("%d %d;", cells[5], cells[6]);
    }
    long long wide = 0;
    halves(&wide);
    int sum = in_a_loop(12, cells), jumped = by_a_jump();
    printf("\n%d %d %d %llx %d\n", sum, cells[0], cells[11], wide, jumped);
    return 0;
}
