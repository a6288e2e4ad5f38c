/* <stdbit.h> (C23 7.18), where the C library has none. */
#if __has_include_next(<stdbit.h>)
#include_next <stdbit.h>
#elif !defined(__ACCRUE_STDBIT_H)
#define __ACCRUE_STDBIT_H
#define __STDC_VERSION_STDBIT_H__ 202311L
#define __STDC_ENDIAN_LITTLE__ 1234
#define __STDC_ENDIAN_BIG__ 4321
#define __STDC_ENDIAN_NATIVE__ __STDC_ENDIAN_LITTLE__

#define __ACCRUE_WIDTH(type) ((unsigned)sizeof(type) * 8)
#define __ACCRUE_BITS(name, type) \
    static inline unsigned stdc_leading_zeros_##name(type __x) \
    { \
        return __x ? __builtin_clzll(__x) - (64 - __ACCRUE_WIDTH(type)) : __ACCRUE_WIDTH(type); \
    } \
    static inline unsigned stdc_leading_ones_##name(type __x) { return stdc_leading_zeros_##name((type)~__x); } \
    static inline unsigned stdc_trailing_zeros_##name(type __x) \
    { \
        return __x ? (unsigned)__builtin_ctzll(__x) : __ACCRUE_WIDTH(type); \
    } \
    static inline unsigned stdc_trailing_ones_##name(type __x) { return stdc_trailing_zeros_##name((type)~__x); } \
    static inline unsigned stdc_bit_width_##name(type __x) \
    { \
        return __ACCRUE_WIDTH(type) - stdc_leading_zeros_##name(__x); \
    } \
    static inline unsigned stdc_first_leading_zero_##name(type __x) \
    { \
        return (stdc_leading_ones_##name(__x) + 1) % (__ACCRUE_WIDTH(type) + 1); \
    } \
    static inline unsigned stdc_first_leading_one_##name(type __x) \
    { \
        return (stdc_leading_zeros_##name(__x) + 1) % (__ACCRUE_WIDTH(type) + 1); \
    } \
    static inline unsigned stdc_first_trailing_zero_##name(type __x) \
    { \
        return (stdc_trailing_ones_##name(__x) + 1) % (__ACCRUE_WIDTH(type) + 1); \
    } \
    static inline unsigned stdc_first_trailing_one_##name(type __x) \
    { \
        return (stdc_trailing_zeros_##name(__x) + 1) % (__ACCRUE_WIDTH(type) + 1); \
    } \
    static inline unsigned stdc_count_ones_##name(type __x) { return __builtin_popcountll(__x); } \
    static inline unsigned stdc_count_zeros_##name(type __x) \
    { \
        return __ACCRUE_WIDTH(type) - __builtin_popcountll(__x); \
    } \
    static inline _Bool stdc_has_single_bit_##name(type __x) { return __builtin_popcountll(__x) == 1; } \
    static inline type stdc_bit_floor_##name(type __x) \
    { \
        return __x ? (type)(1ull << (stdc_bit_width_##name(__x) - 1)) : 0; \
    } \
    static inline type stdc_bit_ceil_##name(type __x) \
    { \
        return __x <= 1 ? 1 : (type)((2ull << (stdc_bit_width_##name((type)(__x - 1)) - 1))); \
    }

__ACCRUE_BITS(uc, unsigned char)
__ACCRUE_BITS(us, unsigned short)
__ACCRUE_BITS(ui, unsigned)
__ACCRUE_BITS(ul, unsigned long)
__ACCRUE_BITS(ull, unsigned long long)
#undef __ACCRUE_BITS
#undef __ACCRUE_WIDTH

#define __ACCRUE_OF_TYPE(function, x) \
    _Generic((x), unsigned char: function##_uc, unsigned short: function##_us, unsigned: function##_ui, \
             unsigned long: function##_ul, unsigned long long: function##_ull)(x)
#define stdc_leading_zeros(x) __ACCRUE_OF_TYPE(stdc_leading_zeros, x)
#define stdc_leading_ones(x) __ACCRUE_OF_TYPE(stdc_leading_ones, x)
#define stdc_trailing_zeros(x) __ACCRUE_OF_TYPE(stdc_trailing_zeros, x)
#define stdc_trailing_ones(x) __ACCRUE_OF_TYPE(stdc_trailing_ones, x)
#define stdc_first_leading_zero(x) __ACCRUE_OF_TYPE(stdc_first_leading_zero, x)
#define stdc_first_leading_one(x) __ACCRUE_OF_TYPE(stdc_first_leading_one, x)
#define stdc_first_trailing_zero(x) __ACCRUE_OF_TYPE(stdc_first_trailing_zero, x)
#define stdc_first_trailing_one(x) __ACCRUE_OF_TYPE(stdc_first_trailing_one, x)
#define stdc_count_zeros(x) __ACCRUE_OF_TYPE(stdc_count_zeros, x)
#define stdc_count_ones(x) __ACCRUE_OF_TYPE(stdc_count_ones, x)
#define stdc_has_single_bit(x) __ACCRUE_OF_TYPE(stdc_has_single_bit, x)
#define stdc_bit_width(x) __ACCRUE_OF_TYPE(stdc_bit_width, x)
#define stdc_bit_floor(x) __ACCRUE_OF_TYPE(stdc_bit_floor, x)
#define stdc_bit_ceil(x) __ACCRUE_OF_TYPE(stdc_bit_ceil, x)
#endif
