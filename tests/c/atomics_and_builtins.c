// Builtins in common use: bit counts, byte swaps, expect, overflow, constant tests, __atomic and __sync.
#include <stdio.h>

static long counter;

int main(void)
{
    unsigned x = 0x00f0;
    unsigned long long y = 1ull << 40;
    printf("%d %d %d %d\n", __builtin_popcount(x), __builtin_clz(x), __builtin_ctz(x), __builtin_ffs(x));
    printf("%d %d %d %d\n", __builtin_popcountll(y), __builtin_clzll(y), __builtin_ctzll(y), __builtin_parity(x));
    printf("%x %llx %x\n", __builtin_bswap32(0x12345678), (unsigned long long)__builtin_bswap64(y), __builtin_bswap16(0x1234));
    printf("%ld\n", __builtin_expect(x > 3, 1));
    int sum, product;
    printf("%d ", __builtin_add_overflow(0x7fffffff, 1, &sum));
    printf("%d ", sum);
    printf("%d ", __builtin_mul_overflow(1000, 1000, &product));
    printf("%d\n", product);
    unsigned char narrow;
    printf("%d ", __builtin_sub_overflow(5, 6, &narrow));
    printf("%d\n", narrow);
    printf("%d %d\n", __builtin_constant_p(5), __builtin_types_compatible_p(int, signed));
    printf("%d\n", __builtin_choose_expr(1, 10, "ten"));
    printf("%ld ", __atomic_fetch_add(&counter, 5, __ATOMIC_SEQ_CST));
    printf("%ld ", __sync_fetch_and_or(&counter, 8));
    printf("%d ", __sync_bool_compare_and_swap(&counter, 13, 20));
    printf("%ld ", __atomic_load_n(&counter, __ATOMIC_ACQUIRE));
    __atomic_store_n(&counter, 3, __ATOMIC_RELEASE);
    printf("%ld ", __atomic_exchange_n(&counter, 4, __ATOMIC_RELAXED));
    long expected = 9;
    printf("%d ", __atomic_compare_exchange_n(&counter, &expected, 1, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
    printf("%ld\n", expected);
    __sync_synchronize();
    if (0)
        __builtin_unreachable();
    char copy[6];
    __builtin_memcpy(copy, "hello", 6);
    printf("%s %zu %d\n", copy, __builtin_strlen(copy), __builtin_abs(-4));
    printf("%g %g %d\n", __builtin_fabs(-2.5), __builtin_inf(), __builtin_isnan(__builtin_nan("")) != 0);
    printf("%zu\n", __builtin_offsetof(struct { char c; double d; }, d));
    char *stack = __builtin_alloca(10);
    stack[9] = 'z';
    printf("%c\n", stack[9]);
    return 0;
}
