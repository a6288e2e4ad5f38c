/* 128-bit integers as parameters and results of functions that a device calls: directly, by recursion, through
   pointers, beside aggregates that hold one, and with constants only. */
#include <stdio.h>

typedef __int128 wide;
typedef unsigned __int128 unsigned_wide;
typedef struct {
    char tag;
    wide value;
} tagged;

#pragma acc routine seq
__attribute__((noinline)) wide scaled(wide a, int k, unsigned_wide b) { return a * (wide)b + k; }

#pragma acc routine seq
__attribute__((noinline)) unsigned_wide factorial(unsigned_wide n) { return n < 2 ? 1 : n * factorial(n - 1); }

#pragma acc routine seq
__attribute__((noinline)) wide negated(wide a) { return -a; }

#pragma acc routine seq
__attribute__((noinline)) wide before(wide a) { return a - 1; }

#pragma acc routine seq
__attribute__((noinline)) void put(wide *to, wide value) { *to = value; }

#pragma acc routine seq
__attribute__((noinline)) double product(unsigned_wide a, double b) { return (double)a * b; }

#pragma acc routine seq
__attribute__((noinline)) tagged moved(tagged from, wide by) {
    from.value += by;
    from.tag++;
    return from;
}

#pragma acc routine vector
__attribute__((noinline)) wide total(const wide *of, wide start) {
    wide sum = start;
#pragma acc loop vector reduction(+ : sum)
    for (int i = 0; i < 64; i++)
        sum += of[i];
    return sum;
}

int main(void) {
    wide results[64], sums[3];
    double products[64];
#pragma acc data copyout(results, products, sums)
    {
#pragma acc parallel loop
        for (int i = 0; i < 64; i++) {
            wide (*way)(wide) = i & 1 ? negated : before;
            wide x = scaled((wide)-i << 65, i, ((unsigned_wide)3 << 64) + i);
            unsigned_wide y = factorial(i % 34);
            tagged both = {1, y};
            both = moved(both, x);
            put(&results[i], way(both.value) ^ negated(5) + both.tag);
            products[i] = product(y, 0.5);
        }
#pragma acc parallel loop gang
        for (int i = 0; i < 3; i++)
            sums[i] = total(results, (wide)i << 70);
    }
    for (int i = 0; i < 64; i += 7)
        printf("%016llx%016llx %a\n", (unsigned long long)(results[i] >> 64), (unsigned long long)results[i],
               products[i]);
    for (int i = 0; i < 3; i++)
        printf("%016llx%016llx\n", (unsigned long long)(sums[i] >> 64), (unsigned long long)sums[i]);
    return 0;
}
