/* Factorials and Fibonacci numbers of many digits, in limbs of 32 bits, and their digits in base ten. */
#include "../loops/timing.h"
#include <stdint.h>
#include <string.h>

typedef struct {
    uint32_t *limb;
    int used, size;
} big;

static void grow(big *x, int size)
{
    if (x->size < size) {
        x->limb = realloc(x->limb, size * 2 * sizeof *x->limb);
        x->size = size * 2;
    }
}

static void set(big *x, uint32_t value)
{
    grow(x, 1);
    x->limb[0] = value;
    x->used = 1;
}

static void mul_small(big *x, uint32_t by)
{
    uint64_t carry = 0;
    for (int i = 0; i < x->used; i++) {
        carry += (uint64_t)x->limb[i] * by;
        x->limb[i] = (uint32_t)carry;
        carry >>= 32;
    }
    if (carry) {
        grow(x, x->used + 1);
        x->limb[x->used++] = carry;
    }
}

static void add(big *x, const big *y)
{
    uint64_t carry = 0;
    int n = x->used > y->used ? x->used : y->used;
    grow(x, n + 1);
    for (int i = 0; i < n; i++) {
        carry += (i < x->used ? x->limb[i] : 0);
        carry += (i < y->used ? y->limb[i] : 0);
        x->limb[i] = carry;
        carry >>= 32;
    }
    x->used = n;
    if (carry)
        x->limb[x->used++] = carry;
}

static void mul(big *z, const big *x, const big *y)
{
    grow(z, x->used + y->used);
    memset(z->limb, 0, (x->used + y->used) * sizeof *z->limb);
    for (int i = 0; i < x->used; i++) {
        uint64_t carry = 0;
        for (int j = 0; j < y->used; j++) {
            carry += (uint64_t)x->limb[i] * y->limb[j] + z->limb[i + j];
            z->limb[i + j] = (uint32_t)carry;
            carry >>= 32;
        }
        z->limb[i + y->used] = carry;
    }
    z->used = x->used + y->used;
    while (z->used > 1 && !z->limb[z->used - 1])
        z->used--;
}

static uint32_t div_small(big *x, uint32_t by)
{
    uint64_t rest = 0;
    for (int i = x->used - 1; i >= 0; i--) {
        rest = rest << 32 | x->limb[i];
        x->limb[i] = rest / by;
        rest %= by;
    }
    while (x->used > 1 && !x->limb[x->used - 1])
        x->used--;
    return rest;
}

static unsigned digits(big *x)
{
    unsigned sum = 0;
    while (x->used > 1 || x->limb[0]) {
        uint32_t nine = div_small(x, 1000000000);
        for (int i = 0; i < 9; i++) {
            sum = sum * 7 + nine % 10;
            nine /= 10;
        }
    }
    return sum;
}

void setup(long n)
{
    (void)n;
}

double kernel(long n)
{
    big a = {0}, b = {0}, c = {0};
    set(&a, 1);
    for (uint32_t i = 2; i <= n; i++)
        mul_small(&a, i);
    set(&b, 1);
    set(&c, 1);
    for (int i = 0; i < 4 * n; i++) {
        add(&b, &c);
        big t = b;
        b = c;
        c = t;
    }
    big d = {0};
    mul(&d, &a, &c);
    unsigned sum = digits(&d);
    free(a.limb);
    free(b.limb);
    free(c.limb);
    free(d.limb);
    return sum;
}
