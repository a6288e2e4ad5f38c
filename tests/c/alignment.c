// _Alignas, _Alignof, aligned and packed attributes, layout of structures.
#include <stdalign.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct plain { char c; double d; short s; };
struct aligned { char c; _Alignas(32) int i; char e; };
struct __attribute__((packed)) packed { char c; int i; short s; double d; };
struct attributed { char c; int i __attribute__((aligned(16))); };
typedef int wide __attribute__((aligned(8)));
struct uses { char c; wide w; };
#pragma pack(push, 2)
struct pushed { char c; int i; double d; };
#pragma pack(pop)
struct after { char c; int i; };
struct nested { char c; struct packed p; struct plain q; long double l; };
static alignas(64) char buffer[10];
static _Alignas(double) char small[3];
static char before = 1, beyond_pages[3] __attribute__((aligned(65536))) = {1};
static const char constant[3] __attribute__((aligned(65536))) = {1};

int main(void)
{
    printf("%zu %zu %zu\n", sizeof(struct plain), offsetof(struct plain, d), offsetof(struct plain, s));
    printf("%zu %zu %zu %zu\n", sizeof(struct aligned), offsetof(struct aligned, i), offsetof(struct aligned, e),
           _Alignof(struct aligned));
    printf("%zu %zu %zu %zu\n", sizeof(struct packed), offsetof(struct packed, i), offsetof(struct packed, d),
           alignof(struct packed));
    printf("%zu %zu\n", sizeof(struct attributed), _Alignof(struct attributed));
    printf("%zu %zu\n", sizeof(struct uses), offsetof(struct uses, w));
    printf("%zu %zu %zu\n", sizeof(struct pushed), offsetof(struct pushed, d), _Alignof(struct pushed));
    printf("%zu\n", sizeof(struct after));
    printf("%zu %zu %zu\n", sizeof(struct nested), offsetof(struct nested, q), offsetof(struct nested, l));
    printf("%d %d\n", (int)((uintptr_t)buffer % 64), (int)((uintptr_t)small % 8));
    alignas(128) int local[3];
    printf("%d\n", (int)((uintptr_t)local % 128));
    printf("%zu %zu %zu %zu\n", _Alignof(char), _Alignof(long double), _Alignof(int[7]), _Alignof(max_align_t));
    for (int n = 1; n < 4; n++) {
        char before[n];
        alignas(64) char of_variable_length[n];
        before[0] = of_variable_length[n - 1] = n;
        printf("%d %d%c", (int)((uintptr_t)of_variable_length % 64), before[0], n < 3 ? ' ' : '\n');
    }
    struct packed p = {1, 2, 3, 4.5};
    p.i += 40;
    p.d *= 2;
    printf("%d %d %g\n", p.i, p.s, p.d);
    printf("%d %d %d\n", before, (int)((uintptr_t)beyond_pages % 65536), (int)((uintptr_t)constant % 65536));
    return 0;
}
