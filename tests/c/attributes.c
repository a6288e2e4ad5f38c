// Attributes in the places where headers and codes put them, and other words of GNU C.
#include <stdio.h>

static int unused_one __attribute__((unused));
__attribute__((noinline, noclone)) static int add(int a, int b __attribute__((unused)), ...) { return a; }
static void check(const char *format, ...) __attribute__((format(printf, 1, 2)));
extern int pure_one(int) __attribute__((pure, const, nothrow, leaf));
int pure_one(int x) { return x; }
typedef int aligned_int __attribute__((aligned(16)));
struct __attribute__((aligned(8), may_alias)) one { char c; };
struct two { char c; int x; } __attribute__((packed));
enum __attribute__((packed)) small { X, Y };
static int constructed;
__attribute__((constructor)) static void before(void) { constructed = 7; }
__attribute__((destructor)) static void after(void) { printf("destroyed\n"); }
__attribute__((constructor)) void defined_nowhere(void);
extern int original(void) __asm__("renamed_symbol");
int original(void) { return 12; }
static int target(void) { return 3; }
__attribute__((weak)) int weak_one(void) { return 4; }
__attribute__((weak)) extern int missing(void);
__extension__ typedef long long wide;
int section_one __attribute__((section(".data"))) = 6;

static void check(const char *format, ...) { printf("%s", format); }

static void cleaned(int *p) { printf("cleaned %d\n", *p); }

int main(void)
{
    __attribute__((cleanup(cleaned))) int guard = 5;
    check("format\n");
    printf("%d %d %d %d\n", add(1, 2, 3), pure_one(2), target(), weak_one());
    printf("%zu %zu %zu %zu\n", sizeof(struct one), sizeof(struct two), sizeof(enum small), _Alignof(aligned_int));
    printf("%d %d %d\n", constructed, original(), section_one);
    if (missing)
        missing();
    switch (guard) {
    case 5:
        guard++;
        __attribute__((fallthrough));
    case 6:
        printf("fell\n");
    }
    __extension__ wide w = (__extension__ 5);
    printf("%lld %d\n", w, __alignof__(long) == 8);
    __const int c = 1;
    __volatile__ int v = 2;
    __signed__ char s = -3;
    printf("%d\n", c + v + s);
    __auto_type deduced = 2.5;
    printf("%g\n", deduced);
label: __attribute__((unused));
    return 0;
}
