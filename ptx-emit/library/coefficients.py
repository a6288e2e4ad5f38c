#!/usr/bin/env python3
"""Writes polynomials.h: the minimax polynomials of the device math library.

Needs mpmath. Each fit states the function, the interval, the degree, the weight of the error and the largest weighted
error that is acceptable; the script fails if a fit misses it. The weight is chosen so that the weighted error is the
relative error of what the polynomial is used for.
"""

import struct
import sys
from pathlib import Path

import mpmath as mp

mp.mp.dps = 50


def remez(function, low, high, degree, weight):
    """Coefficients, lowest first, of the polynomial with the least maximum of |weight * (polynomial - function)|."""
    low, high = mp.mpf(low), mp.mpf(high)
    count = degree + 2
    middle, half = (low + high) / 2, (high - low) / 2
    points = [middle - half * mp.cos(mp.pi * i / (count - 1)) for i in range(count)]
    grid = [middle - half * mp.cos(mp.pi * (i + mp.mpf(1) / 2) / (24 * count)) for i in range(24 * count)]
    grid = [low] + grid + [high]
    values = [function(x) for x in grid]
    # A weight of zero would leave a point without an equation.
    floor = max(mp.mpf(weight(x)) for x in grid) / 256
    weights = [max(mp.mpf(weight(x)), floor) for x in grid]
    for _ in range(12):
        # Powers of (x - middle) / half keep the system well conditioned; they are expanded at the end.
        matrix = mp.matrix(count, count)
        right = mp.matrix(count, 1)
        for row, x in enumerate(points):
            t = (x - middle) / half
            for column in range(degree + 1):
                matrix[row, column] = t**column
            matrix[row, degree + 1] = (-1) ** row / max(mp.mpf(weight(x)), floor)
            right[row] = function(x)
        solution = mp.lu_solve(matrix, right)
        scaled = [solution[i] for i in range(degree + 1)]
        levelled = abs(solution[degree + 1])
        errors = [w * (mp.polyval(scaled[::-1], (x - middle) / half) - v) for x, v, w in zip(grid, values, weights)]
        extremes = []
        for x, error in zip(grid, errors):
            if extremes and (error > 0) == (extremes[-1][1] > 0):
                if abs(error) > abs(extremes[-1][1]):
                    extremes[-1] = (x, error)
            else:
                extremes.append((x, error))
        while len(extremes) > count:
            extremes.pop(0 if abs(extremes[0][1]) < abs(extremes[-1][1]) else -1)
        largest = max(abs(error) for error in errors)
        if len(extremes) < count or largest < levelled * mp.mpf("1.02"):
            break
        points = [x for x, _ in extremes]
    return expand(scaled, middle, half), largest


def expand(scaled, middle, half):
    """Coefficients in x of a polynomial in (x - middle) / half."""
    result = [mp.mpf(0)]
    for coefficient in reversed(scaled):
        shifted = [mp.mpf(0)] + [c / half for c in result]
        for i, c in enumerate(result):
            shifted[i] -= c * middle / half
        shifted[0] += coefficient
        result = shifted
    return result[: len(scaled)]


def literal(value, kind):
    """A hexadecimal literal of the nearest number of the type."""
    if kind == "float":
        return nearest_float(value).hex().replace("0000000p", "p") + "f"
    return float(value).hex()


def nearest_float(value):
    """Rounds once: through a binary64 number would round twice."""
    mantissa, exponent = mp.frexp(mp.mpf(value))
    return float(mp.ldexp(mp.nint(mp.ldexp(mantissa, 24)), int(exponent) - 24))


def horner(name, kind, coefficients, comment):
    fma = "__builtin_fma" if kind == "double" else "__builtin_fmaf"
    lines = [f"/* {comment} */", f"static inline {kind} {name}({kind} x) {{"]
    lines.append(f"    {kind} p = {literal(coefficients[-1], kind)};")
    for coefficient in reversed(coefficients[1:-1]):
        lines.append(f"    p = {fma}(p, x, {literal(coefficient, kind)});")
    lines.append(f"    return {fma}(p, x, {literal(coefficients[0], kind)});")
    lines.append("}")
    return "\n".join(lines) + "\n"


def series(function, terms):
    """A function of x from its Taylor coefficients, for arguments where the closed form cancels."""
    coefficients = mp.taylor(function, 0, terms)
    return lambda x: mp.polyval(coefficients[::-1], x)


def near(closed, limit, bound):
    """`closed`, except at |x| < bound, where it is 0/0 and `limit` stands for it."""
    return lambda x: limit if abs(x) < bound else closed(x)


def careful(closed):
    """Evaluates with enough digits that cancellation near zero does not matter."""

    def evaluate(x):
        with mp.workdps(150):
            value = mp.mpf(x)
            if abs(value) < mp.mpf(10) ** -25:
                value = mp.mpf(10) ** -25
            return closed(value)

    return evaluate


def exp_tail(r):
    return (mp.exp(r) - 1 - r) / r**2


def log_tail(z):
    s = mp.sqrt(z)
    return (2 * mp.atanh(s) / s - 2) / z


def log_tail2(z):
    return (log_tail(z) - mp.mpf(2) / 3) / z


def log1p_tail(f):
    return (mp.log(1 + f) - f + f**2 / 2) / f**3


def of_square(closed):
    """A function of z = x * x from one of x."""
    return lambda z: closed(mp.sqrt(z))


sin_tail = of_square(lambda x: (mp.sin(x) - x) / x**3)
cos_tail = of_square(lambda x: (mp.cos(x) - 1 + x**2 / 2) / x**4)
tan_tail = of_square(lambda x: (mp.tan(x) - x) / x**3)
asin_tail = of_square(lambda x: (mp.asin(x) - x) / x**3)
atan_tail = of_square(lambda x: (mp.atan(x) - x) / x**3)
sinh_tail = of_square(lambda x: (mp.sinh(x) - x) / x**3)
asinh_tail = of_square(lambda x: (mp.asinh(x) - x) / x**3)
tanh_tail = of_square(lambda x: (mp.tanh(x) - x) / x**3)
erf_tail = of_square(lambda x: (mp.erf(x) - x) / x)


def log2_erfc(x):
    return mp.log(mp.erfc(x), 2)


def erfc_scaled(q):
    """exp(x * x) * erfc(x) * (1 + 2 * x) at q = (x - 4) / (x + 4)."""
    x = 4 * (1 + q) / (1 - q)
    return mp.exp(x * x) * mp.erfc(x) * (1 + 2 * x)


def erfc_scaled_tail(q):
    """What it grows by from its value at 0, divided by q."""
    q = mp.mpf(q) if abs(q) > mp.mpf(10) ** -20 else mp.mpf(10) ** -20
    return (erfc_scaled(q) - erfc_scaled(mp.mpf(0))) / q


def stirling_tail(z):
    """x * (lgamma(x) - its leading terms) at z = 1 / (x * x)."""
    x = 1 / mp.sqrt(z)
    total, term, n = mp.mpf(0), None, 1
    if z < mp.mpf(1) / 10000:
        for n in range(1, 16):
            total += mp.bernoulli(2 * n) / (2 * n * (2 * n - 1)) * z ** (n - 1)
        return total
    return x * (mp.loggamma(x) - (x - mp.mpf(1) / 2) * mp.log(x) + x - mp.log(2 * mp.pi) / 2)


def gamma_near(n):
    return lambda t: mp.loggamma(n + t) / t


LN2_HALF = "0.34658"
SQRT2_S = "0.0294373"
PIO4_SQUARED = "0.6169"

# name, type, function, low, high, degree, weight, largest error (log2), what it is
FITS = [
    ("exp_tail", "double", careful(exp_tail), "-0.34658", "0.34658", 9, lambda r: r * r, -58,
     "(exp(r) - 1 - r) / r^2 for |r| <= log(2) / 2"),
    ("exp_tailf", "float", careful(exp_tail), "-0.34658", "0.34658", 4, lambda r: r * r, -27,
     "(exp(r) - 1 - r) / r^2 for |r| <= log(2) / 2"),
    ("log_tail", "double", careful(log_tail), "0", SQRT2_S, 6, lambda z: z, -58,
     "(2 atanh(s) / s - 2) / z, z = s * s, for s from 1/sqrt(2) <= m <= sqrt(2), s = (m - 1) / (m + 1)"),
    ("log_tail2", "double", careful(log_tail2), "0", SQRT2_S, 7, lambda z: z * z, -70,
     "(2 atanh(s) / s - 2 - 2/3 z) / z^2, z = s * s, for the same s"),
    ("log2_tailf", "float", careful(lambda z: log_tail(z) / mp.log(2)), "0", SQRT2_S, 3, lambda z: z * mp.log(2) / 2, -36,
     "(2 atanh(s) / s - 2) / (z log(2)), z = s * s, for the same s"),
    ("exp2_tailf", "float", careful(lambda r: (mp.power(2, r) - 1) / r), "-0.5", "0.5", 5, lambda r: abs(r), -26.5,
     "(2^r - 1) / r for |r| <= 1/2"),
    ("log1p_tailf", "float", careful(log1p_tail), "-0.29290", "0.41422", 7, lambda f: f**3 / mp.log(1 + f) if f else 0,
     -26.5, "(log(1 + f) - f + f^2/2) / f^3 for 1/sqrt(2) <= 1 + f <= sqrt(2)"),
    ("sin_tail", "double", careful(sin_tail), "0", PIO4_SQUARED, 5, lambda z: z, -58,
     "(sin(x) - x) / x^3, z = x * x, for |x| <= pi/4"),
    ("cos_tail", "double", careful(cos_tail), "0", PIO4_SQUARED, 5, lambda z: z * z, -62,
     "(cos(x) - 1 + x^2/2) / x^4, z = x * x, for |x| <= pi/4"),
    ("sin_tailf", "float", careful(sin_tail), "0", PIO4_SQUARED, 2, lambda z: z, -27,
     "(sin(x) - x) / x^3, z = x * x, for |x| <= pi/4"),
    ("cos_tailf", "float", careful(cos_tail), "0", PIO4_SQUARED, 2, lambda z: z * z, -27,
     "(cos(x) - 1 + x^2/2) / x^4, z = x * x, for |x| <= pi/4"),
    ("tan_tailf", "float", careful(tan_tail), "0", PIO4_SQUARED, 5, lambda z: z, -25.5,
     "(tan(x) - x) / x^3, z = x * x, for |x| <= pi/4"),
    ("asin_tail", "double", careful(asin_tail), "0", "0.25", 12, lambda z: z, -58,
     "(asin(x) - x) / x^3, z = x * x, for |x| <= 1/2"),
    ("asin_tailf", "float", careful(asin_tail), "0", "0.25", 4, lambda z: z, -26,
     "(asin(x) - x) / x^3, z = x * x, for |x| <= 1/2"),
    ("atan_tail", "double", careful(atan_tail), "0", "1", 19, lambda z: z, -57,
     "(atan(x) - x) / x^3, z = x * x, for |x| <= 1"),
    ("atan_tailf", "float", careful(atan_tail), "0", "1", 8, lambda z: z, -28,
     "(atan(x) - x) / x^3, z = x * x, for |x| <= 1"),
    ("sinh_tail", "double", careful(sinh_tail), "0", "1", 6, lambda z: z, -58,
     "(sinh(x) - x) / x^3, z = x * x, for |x| <= 1"),
    ("sinh_tailf", "float", careful(sinh_tail), "0", "1", 3, lambda z: z, -26,
     "(sinh(x) - x) / x^3, z = x * x, for |x| <= 1"),
    ("tanh_tail", "double", careful(tanh_tail), "0", "0.3025", 10, lambda z: z, -58,
     "(tanh(x) - x) / x^3, z = x * x, for |x| <= 0.55"),
    ("tanh_tailf", "float", careful(tanh_tail), "0", "0.3025", 4, lambda z: z, -27,
     "(tanh(x) - x) / x^3, z = x * x, for |x| <= 0.55"),
    ("asinh_tail", "double", careful(asinh_tail), "0", "0.25", 11, lambda z: z, -58,
     "(asinh(x) - x) / x^3, z = x * x, for |x| <= 1/2"),
    ("asinh_tailf", "float", careful(asinh_tail), "0", "0.25", 4, lambda z: z, -26,
     "(asinh(x) - x) / x^3, z = x * x, for |x| <= 1/2"),
    ("erf_tail", "double", careful(erf_tail), "0", "1", 12, lambda z: 1, -58,
     "(erf(x) - x) / x, z = x * x, for |x| <= 1"),
    ("erf_tailf", "float", careful(erf_tail), "0", "1", 6, lambda z: 1, -26,
     "(erf(x) - x) / x, z = x * x, for |x| <= 1"),
    ("log2_erfcf", "float", log2_erfc, "1", "4", 7, mp.erfc, -28,
     "log2(erfc(x)) for 1 <= x <= 4"),
    ("erfc_scaled_tail", "double", erfc_scaled_tail, "-1", "0.7500", 22, lambda q: abs(q), -58,
     "what exp(x^2) erfc(x) (1 + 2x) grows by from q = 0, over q, at q = (x - 4) / (x + 4), for 0 <= x <= 28"),
    ("erfc_scaled_tailf", "float", erfc_scaled_tail, "-0.6843", "0.4400", 9, lambda q: abs(q), -27,
     "what exp(x^2) erfc(x) (1 + 2x) grows by from q = 0, over q, at q = (x - 4) / (x + 4), for 3/4 <= x <= 10.2"),
    ("stirling_tail", "double", stirling_tail, "1e-30", "0.0100", 5, lambda z: 1, -58,
     "x times what Stirling's formula for lgamma(x) lacks, at 1 / x^2, for x >= 10"),
    ("lgamma_near1", "double", careful(gamma_near(1)), "-0.1251", "0.1251", 13, lambda t: 1, -57,
     "lgamma(1 + t) / t for |t| <= 1/8"),
    ("lgamma_near2", "double", careful(gamma_near(2)), "-0.1251", "0.1251", 10, lambda t: 1, -57,
     "lgamma(2 + t) / t for |t| <= 1/8"),
]

HEADER = """\
/* Minimax polynomials of the device math library. Written by coefficients.py: edit that, not this. */

#ifndef ACCRUE_POLYNOMIALS_H
#define ACCRUE_POLYNOMIALS_H

"""


def main():
    text = [HEADER]
    failed = False
    for name, kind, function, low, high, degree, weight, limit, comment in FITS:
        coefficients, error = remez(function, low, high, degree, weight)
        bits = mp.log(error, 2)
        print(f"{name}: degree {degree}, error 2^{float(bits):.1f}", file=sys.stderr, flush=True)
        if bits > limit:
            print(f"{name}: error above 2^{limit}", file=sys.stderr)
            failed = True
        text.append(horner(name, kind, coefficients, f"{comment}: error 2^{float(bits):.1f}.") + "\n")
    text.append("#endif\n")
    Path(__file__).with_name("polynomials.h").write_text("".join(text))
    sys.exit(failed)


if __name__ == "__main__":
    main()
