// options: -std=c23 -Wall
// also: -std=gnu2x
// also: -O0
// What C23 has that earlier standards do not.
#include <limits.h>
#include <math.h>
#include <stdalign.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdckdint.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uchar.h>

static_assert(__STDC_VERSION__ >= 202311L);

// Keywords.
static_assert(true && !false && sizeof(bool) == 1 && _Generic(true, bool: 1, default: 0));
thread_local int of_thread = 3;
struct wide {
    alignas(32) int x;
};
static_assert(alignof(struct wide) == 32);
#if !true || false || 1'0 != 10
#error keywords in conditions
#endif

// Constants.
static_assert(1'000'000 == 1000000 && 0b1010'1010 == 0xAA && 0x12'34 == 0x1234 && 07'7 == 63);
static_assert(_Generic(u8'x', unsigned char: 1, default: 0) && _Generic(u8"x"[0], unsigned char: 1, default: 0));
constexpr int count = 4;
constexpr struct {
    int a, b;
    double d;
    struct {
        short inner[2];
    } nested;
} parts = {1, .d = 2.5};
static int table[count + parts.a + parts.b];
static_assert(sizeof table == 5 * sizeof(int) && parts.d == 2.5);
static const int *address = &(static int){42};

// Enumerations with an underlying type.
enum byte : unsigned char { LAST = 255, THREE = 3 };
static_assert(sizeof(enum byte) == 1 && _Generic(LAST, enum byte: 1, default: 0));
enum later : short;
static enum later forward = -5;
enum later : short { MINUS = -5 };
enum : long long { BIG = 1LL << 40 };

// Definitions that say the same again.
struct node {
    int a : 3;
    struct node *next;
    enum { FIRST, FIFTH = 5 } kind;
};
struct node {
    int a : 3;
    struct node *next;
    enum { FIRST, FIFTH = 5 } kind;
};
enum colour { RED, GREEN = 5 };
enum colour { RED, GREEN = 5 };
#define PAIR(name) struct name { int x, y; }
static PAIR(pair) swapped(PAIR(pair) from) { return (PAIR(pair)){from.y, from.x}; }

// Null pointers.
static nullptr_t nothing = nullptr;
static const char *text = nullptr;
static_assert(_Generic(nullptr, nullptr_t: 1, void *: 2) == 1);

// Functions.
static int none() { return 1; }
static int unnamed(int, double) { return 2; }
static int sum(...) {
    va_list list;
    va_start(list);
    int total = 0;
    for (int next; (next = va_arg(list, int)) != 0;)
        total += next;
    va_end(list);
    return total;
}

// Attributes.
#if __has_c_attribute(nodiscard) != 202003L || !__has_c_attribute(__deprecated__) \
    || __has_c_attribute(gnu::packed) != 1 || __has_c_attribute(nosuch)
#error attributes
#endif
[[nodiscard("why")]] static int useful(void) { return 3; }
[[deprecated("old"), noreturn]] void never(void);
[[maybe_unused]] static int unused;
[[unsequenced]] static int pure_function(int x [[maybe_unused]]) { return x; }
struct [[gnu::packed]] tight {
    char c [[maybe_unused]];
    int i;
};
static_assert(sizeof(struct tight) == 5);
enum [[maybe_unused]] named { ONE [[deprecated]] = 1 };
static int passed(int x) {
    switch (x) {
    case 1: [[maybe_unused]] int [[maybe_unused]] more = 1; x += more; [[fallthrough]];
    case 2: x++; break;
    default:
    }
    return x;
}
static int labels(int x) {
    if (x > 5)
        goto end;
again:
    int y = x;
    if (y < 5) {
        x++;
        goto again;
    }
end:
    return x;
}

// The preprocessor.
#define TWO 2
#ifdef NOTHING
#elifdef TWO
#define FOUND 1
#endif
#ifdef NOTHING
#elifndef NOTHING
#define MISSED 1
#endif
#define TEXT(x, ...) #__VA_OPT__(x TWO x##x __VA_ARGS__)
#define CALL(f, ...) f(1 __VA_OPT__(,) __VA_ARGS__ __VA_OPT__(, 0))
#if __has_embed("c23.c" limit(TWO)) != __STDC_EMBED_FOUND__ || __has_embed("c23.c" limit(0)) != 2 \
    || __has_embed(<no such file>) || __has_embed("c23.c" vendor::other(1))
#error embedding
#endif
static const unsigned char own[] = {
#embed "c23.c" limit(TWO + 1) prefix(7, TWO,) suffix(, 8)
};
static const char rest[] = {
#embed "c23.c" limit(0) prefix(1) __if_empty__('e', 0)
};

static int vla(int n) {
    int zeros[n] = {}, ones[2][n] = {};
    int found = 0;
    for (int i = 0; i < n; i++)
        found |= zeros[i] | ones[0][i] | ones[1][i];
    return found;
}

int main(void) {
    auto x = 5;
    auto const half = 0.5;
    static auto kept = 3ull;
    register auto place = &x;
    static_assert(_Generic(kept, unsigned long long: 1, default: 0) && _Generic(&half, const double *: 1));
    const int constant[3] = {1, 2, 3};
    typeof_unqual(constant) copied = {3, 2, 1};
    copied[0] = 7;
    typeof_unqual(half) number = 3;
    number++;
    constexpr unsigned long large = 1'000'000;
    constexpr double fraction = 0x1.8p1;
    static_assert(large == 1000000 && fraction == 3.0);
    int empty = {};
    struct wide cleared = {};
    int *elements = (static int[]){1, 2, 3};
    int named = (constexpr int){7};
    switch (7) {
    case (constexpr int){7}: named++;
    }
    printf("%d %g %llu %d %d %g %d %d\n", x, half, kept, *place, copied[0], number, empty, cleared.x);
    printf("%d %d %d %d %d\n", elements[2], named, *address, of_thread, (int)sizeof(table));
    printf("%d %d %d %d %d\n", none(), unnamed(1, 2), useful(), pure_function(4), CALL(sum, 2, 3));
    printf("%d %d %d %d %d\n", passed(1), labels(1), labels(9), FOUND + MISSED, vla(x));
    enum byte wraps = LAST;
    wraps++;
    printf("%d %lld %d %d\n", wraps, (long long)BIG, forward == MINUS, swapped((PAIR(pair)){1, 2}).x);
    struct node node = {.kind = FIFTH};
    printf("%d %d %d %d\n", node.kind, GREEN, nothing == nullptr, text == nullptr && !nothing);
    int *chosen = x ? nullptr : place, sized[] = {[2] = 1};
    printf("%d %zu %d\n", chosen == nullptr, sizeof nothing, nullptr ? 1 : sized[2]);
    for (size_t i = 0; i < sizeof own; i++)
        printf("%d ", own[i]);
    puts(rest);
    int result;
    long product;
    bool over[] = {ckd_add(&result, INT_MAX, 1), ckd_mul(&product, 1 << 20, 1 << 20)};
    printf("%d %d %d %ld\n", over[0], result, over[1], product);
    printf("[%s] [%s]\n", TEXT(a), TEXT(a, b, c));
    if (x > 100)
        unreachable();
    return 0;
}
