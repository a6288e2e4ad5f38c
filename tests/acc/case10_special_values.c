// Extreme values of every width, infinities, not-a-number, negative zero; in complex numbers part by part.
// also: --gangs 3
#include <complex.h>
#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>

enum { N = 67 };
static int wrong;
#define CHECK(condition) ((condition) ? 0 : (wrong++, printf("line %d: %s\n", __LINE__, #condition)))

// Smallest and largest over N equal values and one other.
#define EXTREMES(type, rest, other, low, high)                                           \
    do {                                                                                 \
        type a[N], small = other, large = other;                                         \
        for (int i = 0; i < N; i++)                                                      \
            a[i] = rest;                                                                 \
        _Pragma("acc parallel loop reduction(min:small) reduction(max:large) copyin(a)") \
        for (int i = 0; i < N; i++) {                                                    \
            small = a[i] < small ? a[i] : small;                                         \
            large = a[i] > large ? a[i] : large;                                         \
        }                                                                                \
        CHECK(small == (type)(low));                                                     \
        CHECK(large == (type)(high));                                                    \
    } while (0)

int main(void)
{
    EXTREMES(signed char, SCHAR_MIN, SCHAR_MIN, SCHAR_MIN, SCHAR_MIN);
    EXTREMES(signed char, SCHAR_MAX, SCHAR_MIN, SCHAR_MIN, SCHAR_MAX);
    EXTREMES(unsigned char, UCHAR_MAX, UCHAR_MAX, UCHAR_MAX, UCHAR_MAX);
    EXTREMES(unsigned char, 0, 0, 0, 0);
    EXTREMES(short, SHRT_MIN, SHRT_MIN, SHRT_MIN, SHRT_MIN);
    EXTREMES(unsigned short, USHRT_MAX, USHRT_MAX, USHRT_MAX, USHRT_MAX);
    EXTREMES(int, INT_MIN, INT_MIN, INT_MIN, INT_MIN);
    EXTREMES(int, INT_MAX, INT_MAX, INT_MAX, INT_MAX);
    EXTREMES(unsigned, 0, UINT_MAX, 0, UINT_MAX);
    EXTREMES(long, LONG_MIN, LONG_MAX, LONG_MIN, LONG_MAX);
    EXTREMES(unsigned long, ULONG_MAX, ULONG_MAX, ULONG_MAX, ULONG_MAX);
    EXTREMES(long long, LLONG_MIN, LLONG_MIN, LLONG_MIN, LLONG_MIN);
    EXTREMES(unsigned long long, 0, 0, 0, 0);
    EXTREMES(bool, true, true, true, true);
    EXTREMES(bool, false, true, false, true);
    EXTREMES(float, -INFINITY, -INFINITY, -INFINITY, -INFINITY);
    EXTREMES(float, INFINITY, INFINITY, INFINITY, INFINITY);
    EXTREMES(double, -INFINITY, INFINITY, -INFINITY, INFINITY);
    EXTREMES(double, -DBL_MAX, -DBL_MAX, -DBL_MAX, -DBL_MAX);
    EXTREMES(double, DBL_TRUE_MIN, -DBL_TRUE_MIN, -DBL_TRUE_MIN, DBL_TRUE_MIN);
    EXTREMES(double, -0.0, -0.0, 0, 0);

    double sum = 0, product = 1, low = INFINITY, high = -INFINITY, not = 1;
#pragma acc parallel loop reduction(+:sum) reduction(*:product)
    for (int i = 0; i < N; i++) {
        sum += i == 40 ? INFINITY : 1;
        product *= i == 33 ? -INFINITY : 2;
    }
    CHECK(sum == INFINITY);
    CHECK(product == -INFINITY);

    // fmin and fmax skip what is not a number; a sum keeps it.
#pragma acc parallel loop reduction(min:low) reduction(max:high) reduction(+:not)
    for (int i = 0; i < N; i++) {
        double value = i % 3 == 0 ? NAN : i;
        low = fmin(low, value);
        high = fmax(high, value);
        not += value;
    }
    CHECK(low == 1);
    CHECK(high == 65);
    CHECK(not != not);

    // A product of negative zeros keeps its sign.
    double zero = 1;
#pragma acc parallel loop reduction(*:zero)
    for (int i = 0; i < 3; i++)
        zero *= -0.0;
    CHECK(zero == 0 && signbit(zero));

    // Complex sums keep what each part is.
    float complex parts = -0.0f;
    double complex wide_parts = 0, turned = 1 + 2 * I, no_number = 0;
    float complex low_turned = 3;
    int all = 1;
#pragma acc parallel loop reduction(+:parts, wide_parts, no_number) reduction(*:turned, low_turned) reduction(&&:all)
    for (int i = 0; i < N; i++) {
        parts += CMPLXF(0, i == 50 ? -INFINITY : 1);
        wide_parts += CMPLX(i == 7 ? INFINITY : 1, i == 66 ? INT_MIN : 0);
        no_number += CMPLX(i == 20 ? NAN : 0, 1);
        turned *= i % 2 ? I : 1;
        low_turned *= i == 40 ? -2 * I : 1;
        all = all && CMPLX(0, i + 1);
    }
    CHECK(crealf(parts) == 0 && cimagf(parts) == -INFINITY);
    CHECK(creal(wide_parts) == INFINITY && cimag(wide_parts) == INT_MIN);
    CHECK(isnan(creal(no_number)) && cimag(no_number) == N);
    CHECK(turned == (1 + 2 * I) * I && low_turned == -6 * I && all);

    // Narrow sums wrap as the type does.
    unsigned char narrow = 250;
    unsigned short wide = 65530;
    bool any = false;
#pragma acc parallel loop reduction(+:narrow, wide) reduction(||:any)
    for (int i = 0; i < 300; i++) {
        narrow += 1;
        wide += 3;
        any = any || i == 299;
    }
    CHECK(narrow == (unsigned char)550);
    CHECK(wide == (unsigned short)(65530 + 900));
    CHECK(any);
    return wrong != 0;
}
