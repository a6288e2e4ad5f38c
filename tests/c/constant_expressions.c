// Integer constant expressions: in array sizes, cases, enumerators, bit-field widths, assertions; null pointer constants.
#include <limits.h>
#include <stddef.h>
#include <stdio.h>

enum { A = 3 * 4 - 5 % 3, B = A << 2, C = A > 5 ? B : 1 / 1, D = (char)300, E = sizeof(struct { char c; long l; }) };
static char array[(int)2.5 + (A == 10)];
struct s { unsigned a : A - 7; int b : sizeof(int) * 2; };
static int table[offsetof(struct { int x[3]; char y; }, y)];
_Static_assert(INT_MAX + 1u == 0x80000000u, "wraps as unsigned");
_Static_assert((-1 >> 1) == -1 && -7 / 2 == -3 && -7 % 2 == -1, "division truncates");
_Static_assert(1 || 1 / (A - 10), "not evaluated");
_Static_assert(!(0 && 1 / 0), "not evaluated");
_Static_assert((0 ? 1 / 0 : 7) == 7, "not evaluated");
_Static_assert(~0u == UINT_MAX && ~0ull == ULLONG_MAX, "complement");
_Static_assert((unsigned char)-1 == 255 && (_Bool)0.5 == 1 && -(int)1.9 == -1, "casts");
_Static_assert('\377' == -1 && L'\377' == 255, "characters");
_Static_assert(sizeof(int[A]) / sizeof(int) == 10 && _Alignof(double) == 8, "sizes");
static int *null_one = 0, *null_two = (void *)0, *null_three = 1 - 1;
static long address_free = (long)&((struct { int a, b; } *)0)->b;
static double real = 1e3 / 3 + A;

int main(void)
{
    printf("%d %d %d %d %d\n", A, B, C, D, E);
    printf("%zu %zu\n", sizeof array, sizeof table / sizeof *table);
    struct s s = {5, -100};
    printf("%u %d\n", s.a, s.b);
    printf("%d %ld %.6f\n", !null_one && !null_two && !null_three, address_free, real);
    switch (20) {
    case A * 2: printf("twenty\n"); break;
    case sizeof(char[21]): printf("twenty-one\n"); break;
    }
    printf("%d\n", __builtin_constant_p(A + B));
    return 0;
}
