/* <stddef.h> (C11 7.19). The C library asks for single names of it by defining __need_NAME first. */
#if !defined(__need_size_t) && !defined(__need_ptrdiff_t) && !defined(__need_wchar_t) && !defined(__need_wint_t) \
    && !defined(__need_NULL)
#ifndef __ACCRUE_STDDEF_H
#define __ACCRUE_STDDEF_H
#define __need_max_align_t
#define __need_offsetof
#define __need_of_c23
#endif
#define __need_size_t
#define __need_ptrdiff_t
#define __need_wchar_t
#define __need_NULL
#endif

#ifdef __need_size_t
#ifndef __ACCRUE_SIZE_T
#define __ACCRUE_SIZE_T
typedef __SIZE_TYPE__ size_t;
#endif
#undef __need_size_t
#endif

#ifdef __need_ptrdiff_t
#ifndef __ACCRUE_PTRDIFF_T
#define __ACCRUE_PTRDIFF_T
typedef __PTRDIFF_TYPE__ ptrdiff_t;
#endif
#undef __need_ptrdiff_t
#endif

#ifdef __need_wchar_t
#ifndef __ACCRUE_WCHAR_T
#define __ACCRUE_WCHAR_T
typedef __WCHAR_TYPE__ wchar_t;
#endif
#undef __need_wchar_t
#endif

#ifdef __need_wint_t
#ifndef __ACCRUE_WINT_T
#define __ACCRUE_WINT_T
typedef __WINT_TYPE__ wint_t;
#endif
#undef __need_wint_t
#endif

#ifdef __need_NULL
#undef NULL
#define NULL ((void *)0)
#undef __need_NULL
#endif

#ifdef __need_offsetof
#define offsetof(type, member) __builtin_offsetof(type, member)
#undef __need_offsetof
#endif

#ifdef __need_max_align_t
#if __STDC_VERSION__ >= 201112L || !defined(__STRICT_ANSI__)
typedef struct {
    long long __accrue_max_align_ll __attribute__((__aligned__(8)));
    long double __accrue_max_align_ld __attribute__((__aligned__(16)));
} max_align_t;
#endif
#undef __need_max_align_t
#endif

#ifdef __need_of_c23
#if __STDC_VERSION__ >= 202311L
#define __STDC_VERSION_STDDEF_H__ 202311L
#define unreachable() __builtin_unreachable()
typedef __typeof__(nullptr) nullptr_t;
#endif
#undef __need_of_c23
#endif
