// Conditional inclusion: arithmetic, defined, nesting, skipped garbage, __has_include, #line, predefined macros, _Pragma.
#include <limits.h>
#include <stdio.h>
#include "more/guarded.h"
#include "more/guarded.h"
#define HEADER "more/guarded.h"
#include HEADER

#if defined GUARDED && defined(GUARDED) && !defined ABSENT
#define A 1
#else
#error not here
#endif
#if ABSENT
# error an unknown name is zero
#elif (2 || 1 / 0) && -1 < 0 && -1 > 0u && 'a' == 97 && (1 ? 2 : 3) == 2 && 0x7fffffffffffffff > 0 && ~0 == -1
# define B 2
#endif
#ifdef ABSENT
 this ' is not C " at all
# if 1
#  garbage
# else
# endif
# include <does/not/exist>
#endif
#ifndef ABSENT
#elif nonsense (
#endif
#if 10 % 4 == 2 && (1 << 4 | 3) == 19 && !(5 ^ 5) && (7 & 3) == 3 && 1 >= 1 && 2 != 3 && +1 && (1, 2) == 2
#define C 3
#endif
#ifndef C
#error
#endif
#if __has_include(<stdio.h>) && __has_include("more/guarded.h") && !__has_include(<no/such.h>)
#define D 4
#endif
#if 0xFFFFFFFFu + 1 == 0x100000000 && 1u - 2 > 0 && '\377' < 0 && L'\xff' == 255
#define E 5
#endif
#define EMPTY
#if EMPTY 1 EMPTY
#define G 6
#endif
#if 0
#elif 1
#elif 1 / 0
#else
#error
#endif

int main(void)
{
    printf("%d %d %d %d %d %d\n", A, B, C, D, E, G);
    printf("%d %d\n", times_included, __STDC_VERSION__ >= 201112L);
    printf("%d %d %d\n", __STDC__, sizeof(__DATE__) == 12, sizeof(__TIME__) == 9);
    printf("%s\n", __func__);
#line 1000 "renamed.c"
    printf("%d %s\n", __LINE__, __FILE__);
#line 7
    printf("%d %s\n", __LINE__, __FILE__);
    _Pragma("GCC diagnostic push") printf("%d\n", __COUNTER__ + 1 == __COUNTER__);
    _Pragma("GCC diagnostic pop")
    printf("%d %d %d\n", __CHAR_BIT__, __INT_MAX__ == INT_MAX, __SIZEOF_POINTER__);
    printf("%d %d\n", __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, __x86_64__);
    pri\
ntf("con\
tinued %d\n", 1\
2);
#
# /* null directives */
#ident "text"
#pragma unknown to everyone
    return 0;
}
