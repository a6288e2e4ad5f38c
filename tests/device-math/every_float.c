/* The largest errors of functions of a float over all floats, in units in the last place of the result, on the device that
   runs it: what an instruction of a GPU computes, nothing else shows.

   accrue run --device cuda tests/device-math/every_float.c */
#define _GNU_SOURCE
#include <math.h>
#include <stdio.h>

/* Off by how many units in the last place of a float; 1e30 where one is a number and the other is none. */
static double error(float found, double exact)
{
    if (isnan(exact) || isinf(found) || fabs(exact) > 0x1.fffffefffffffp127) {
        int is_right = isnan(exact) ? isnan(found) : isinf(found) && fabs(exact) >= 0x1.fffffep127 && (found > 0) == (exact > 0);
        return is_right ? 0 : 1e30;
    }
    if (isnan(found)) return 1e30;
    double size = fmax(fabs(exact), 0x1p-126);
    return fabs(found - exact) / exp2(floor(log2(size)) - 23);
}

#define LARGEST(name, ours, exact)                                                                                            \
    {                                                                                                                         \
        double most = 0;                                                                                                      \
        _Pragma("acc parallel loop reduction(max : most)") for (unsigned long bits = 0; bits < 1ul << 32; bits++)             \
        {                                                                                                                     \
            union {                                                                                                           \
                unsigned bits;                                                                                                \
                float x;                                                                                                      \
            } at = { (unsigned)bits };                                                                                        \
            float x = at.x;                                                                                                   \
            most = fmax(most, error(ours, exact));                                                                            \
        }                                                                                                                     \
        printf("%-6s %.3f\n", name, most);                                                                                    \
    }

int main(void)
{
    LARGEST("expf", expf(x), exp((double)x))
    LARGEST("exp2f", exp2f(x), exp2((double)x))
    LARGEST("exp10f", exp10f(x), exp10((double)x))
    LARGEST("expm1f", expm1f(x), expm1((double)x))
    LARGEST("logf", logf(x), log((double)x))
    LARGEST("log1pf", log1pf(x), log1p((double)x))
    LARGEST("sinf", sinf(x), sin((double)x))
    LARGEST("cosf", cosf(x), cos((double)x))
    LARGEST("tanf", tanf(x), tan((double)x))
    LARGEST("asinf", asinf(x), asin((double)x))
    LARGEST("acosf", acosf(x), acos((double)x))
    LARGEST("atanf", atanf(x), atan((double)x))
    LARGEST("sinhf", sinhf(x), sinh((double)x))
    LARGEST("coshf", coshf(x), cosh((double)x))
    LARGEST("tanhf", tanhf(x), tanh((double)x))
    LARGEST("asinhf", asinhf(x), asinh((double)x))
    LARGEST("acoshf", acoshf(x), acosh((double)x))
    LARGEST("atanhf", atanhf(x), atanh((double)x))
    LARGEST("erff", erff(x), erf((double)x))
    LARGEST("erfcf", erfcf(x), erfc((double)x))
    LARGEST("cbrtf", cbrtf(x), cbrt((double)x))
    return 0;
}
