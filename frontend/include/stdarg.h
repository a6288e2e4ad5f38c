/* <stdarg.h> (C11 7.16). The C library asks for __gnuc_va_list alone by defining __need___va_list first. */
#ifndef __ACCRUE_VA_LIST
#define __ACCRUE_VA_LIST
typedef __builtin_va_list __gnuc_va_list;
#endif

#ifdef __need___va_list
#undef __need___va_list
#elif !defined(__ACCRUE_STDARG_H)
#define __ACCRUE_STDARG_H
typedef __gnuc_va_list va_list;
#if __STDC_VERSION__ >= 202311L
#define __STDC_VERSION_STDARG_H__ 202311L
#define va_start(list, ...) __builtin_va_start(list)
#else
#define va_start(list, last) __builtin_va_start(list, last)
#endif
#define va_end(list) __builtin_va_end(list)
#define va_arg(list, type) __builtin_va_arg(list, type)
#if __STDC_VERSION__ >= 199901L || !defined(__STRICT_ANSI__)
#define va_copy(to, from) __builtin_va_copy(to, from)
#endif
#define __va_copy(to, from) __builtin_va_copy(to, from)
#endif
