// options: -fopenmp
// Every operator of reductions, on every kind of type.
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>

enum { N = 200 };

#define SUMS(type, format)                                                    \
    do {                                                                      \
        type sum = 1, least = 100, most = 0, product = 1;                     \
        _Pragma("omp parallel for reduction(+ : sum) reduction(min : least) \
                 reduction(max : most) reduction(* : product)")               \
        for (int i = 0; i < N; i++) {                                         \
            type value = (type)(i % 7 + 3);                                   \
            sum += i % 3;                                                     \
            least = value < least ? value : least;                            \
            most = value > most ? value : most;                               \
            product *= (type)(i % 50 == 0 ? 2 : 1);                           \
        }                                                                     \
        printf("%-18s " format " " format " " format " " format "\n", #type, sum, least, most, product); \
    } while (0)

#define BITS(type, format)                                                    \
    do {                                                                      \
        type all = (type)~0, any = 1, odd = 0;                                \
        bool both = true, either = false;                                     \
        _Pragma("omp parallel for reduction(& : all) reduction(| : any) \
                 reduction(^ : odd) reduction(&& : both) reduction(|| : either)") \
        for (int i = 0; i < N; i++) {                                         \
            all &= (type)(0x70 | i);                                          \
            any |= (type)(i & 0x18);                                          \
            odd ^= (type)i;                                                   \
            both = both && i < N;                                             \
            either = either || i == 77;                                       \
        }                                                                     \
        printf("%-18s " format " " format " " format " %d %d\n", #type, all, any, odd, both, either); \
    } while (0)

int main(void)
{
    SUMS(signed char, "%d");
    SUMS(unsigned char, "%d");
    SUMS(short, "%d");
    SUMS(unsigned short, "%d");
    SUMS(int, "%d");
    SUMS(unsigned, "%u");
    SUMS(long, "%ld");
    SUMS(unsigned long, "%lu");
    SUMS(long long, "%lld");
    SUMS(float, "%g");
    SUMS(double, "%g");
    SUMS(long double, "%Lg");
    BITS(signed char, "%d");
    BITS(unsigned char, "%d");
    BITS(short, "%d");
    BITS(int, "%d");
    BITS(unsigned, "%u");
    BITS(long, "%ld");
    BITS(unsigned long, "%lu");

    double _Complex z = 1.0;
    double truth = 1.0, falsity = 0.0;
#pragma omp parallel for reduction(+ : z) reduction(&& : truth) reduction(|| : falsity)
    for (int i = 0; i < N; i++) {
        z += i + 2.0i * i;
        truth = truth && i > 100;
        falsity = falsity || i > 100;
    }
    printf("complex %g %g, double as truth %g %g\n", __real__ z, __imag__ z, truth, falsity);

    int down = 0;
#pragma omp parallel for reduction(- : down)
    for (int i = 0; i < N; i++)
        down -= i;
    long least = LONG_MAX;
#pragma omp parallel for reduction(min : least)
    for (long i = N; i > 0; i--)
        if (i * i - 50 * i < least)
            least = i * i - 50 * i;
    printf("minus %d, least %ld\n", down, least);
    return 0;
}
