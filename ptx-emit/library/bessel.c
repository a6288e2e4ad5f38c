/* j0, j1, jn, y0, y1, yn. */

#include "cores.h"

#define EULER 0x1.2788cfc6fb619p-1

/* From here on the asymptotic expansion reaches the precision of a double. */
#define ASYMPTOTIC 25.0

struct bessel {
    double j0;
    double j1;
    double y0;
    double y1;
};

/* Hankel's expansion for order n = 0 or 1: J = sqrt(2/(pi x)) (P cos(a) - Q sin(a)), Y with sine and cosine exchanged, where
   a = x - n pi/2 - pi/4. */
static void asymptotic(double x, int order, double sine, double cosine, double *j, double *y) {
    double mu = 4.0 * order * order;
    double p = 1.0;
    double q = 0.0;
    double term = 1.0;
    for (int k = 1; k < 40; k++) {
        double odd = 2.0 * k - 1.0;
        double next = term * (mu - odd * odd) / (k * 8.0 * x);
        if (__builtin_fabs(next) >= __builtin_fabs(term) || __builtin_fabs(next) < 0x1p-60) break;
        term = next;
        double signed_term = k & 2 ? -term : term;
        if (k & 1) {
            q += signed_term;
        } else {
            p += signed_term;
        }
    }
    /* cos(x - pi/4) and sin(x - pi/4) times sqrt(2); order 1 is a quarter turn further. */
    double c = order ? sine - cosine : cosine + sine;
    double s = order ? -(sine + cosine) : sine - cosine;
    double size = 0x1.20dd750429b6dp-1 / __builtin_sqrt(x);
    *j = size * __builtin_fma(p, c, -(q * s));
    *y = size * __builtin_fma(p, s, q * c);
}

/* Miller's algorithm: the recurrence downwards from an order where J is negligible, normalised by
   J0 + 2 J2 + 2 J4 + ... = 1; and Neumann's series for Y0 and Y1 over the even and odd orders. */
static struct bessel by_recurrence(double x) {
    int order = ((int)(1.5 * x) + 30) & ~1;
    double next = 0.0;
    double current = 0x1p-600;
    double sum = 0.0;
    double even = 0.0;
    double odd = 0.0;
    double inverse = 2.0 / x;
    for (int k = order; k > 0; k--) {
        int half = k >> 1;
        double alternating = half & 1 ? current : -current;
        if (!(k & 1)) {
            sum += 2.0 * current;
            even += 2.0 * alternating / half;
        } else if (k > 1) {
            odd += alternating * k / ((double)half * (half + 1));
        }
        double previous = k * inverse * current - next;
        next = current;
        current = previous;
        if (__builtin_fabs(current) > 0x1p600) {
            current *= 0x1p-600;
            next *= 0x1p-600;
            sum *= 0x1p-600;
            even *= 0x1p-600;
            odd *= 0x1p-600;
        }
    }
    double unit = 1.0 / (sum + current);
    double logarithm = DEVICE(log)(0.5 * x) + EULER;
    struct bessel result;
    result.j0 = current * unit;
    result.j1 = next * unit;
    result.y0 = TWO_OVER_PI * __builtin_fma(logarithm, result.j0, even * unit);
    result.y1 = TWO_OVER_PI * (__builtin_fma(logarithm - 1.0, result.j1, odd * unit) - result.j0 / x);
    return result;
}

/* For finite x > 0. */
static struct bessel orders_0_and_1(double x) {
    struct bessel result;
    if (x < 0x1p-20) {
        result.j0 = __builtin_fma(-0.25 * x, x, 1.0);
        result.j1 = 0.5 * x * __builtin_fma(-0.125 * x, x, 1.0);
        /* The first two terms of the series; log(x / 2) as a difference, because x / 2 may underflow. */
        double logarithm = DEVICE(log)(x) + (EULER - 0x1.62e42fefa39efp-1);
        result.y0 = TWO_OVER_PI * __builtin_fma(logarithm, result.j0, 0.25 * x * x);
        result.y1 = TWO_OVER_PI * (-1.0 / x + 0.5 * x * (logarithm - 0.5));
        return result;
    }
    if (x < ASYMPTOTIC) return by_recurrence(x);
    double sine, cosine;
    DEVICE(sincos)(x, &sine, &cosine);
    asymptotic(x, 0, sine, cosine, &result.j0, &result.y0);
    asymptotic(x, 1, sine, cosine, &result.j1, &result.y1);
    return result;
}

double DEVICE(j0)(double x) {
    if (is_nan(x)) return x;
    if (x == 0.0) return 1.0;
    return is_infinite(x) ? 0.0 : orders_0_and_1(__builtin_fabs(x)).j0;
}

double DEVICE(j1)(double x) {
    if (is_nan(x) || x == 0.0) return x;
    double value = is_infinite(x) ? 0.0 : orders_0_and_1(__builtin_fabs(x)).j1;
    return x < 0.0 ? -value : value;
}

double DEVICE(y0)(double x) {
    if (!(x > 0.0)) return x == 0.0 ? -INFINITY_D : NAN_D;
    return is_infinite(x) ? 0.0 : orders_0_and_1(x).y0;
}

double DEVICE(y1)(double x) {
    if (!(x > 0.0)) return x == 0.0 ? -INFINITY_D : NAN_D;
    return is_infinite(x) ? 0.0 : orders_0_and_1(x).y1;
}

/* Upwards, while the order is below the argument, the recurrence is stable for J; always for Y. */
static double upwards(int n, double x, double before, double value) {
    for (int k = 1; k < n && is_finite(value); k++) {
        double after = 2.0 * k / x * value - before;
        before = value;
        value = after;
    }
    return value;
}

/* J of order n > x, by Miller's algorithm from an order above it. */
static double downwards(int n, double x) {
    /* J_n(x) is at most (x/2)^n / n!. */
    double size = n * (DEVICE(log)(0.5 * x / n) + 1.0);
    if (size < -760.0) return 0.0;
    int order = (n + (int)(1.5 * x) + 40) & ~1;
    double next = 0.0;
    double current = 0x1p-600;
    double wanted = 0.0;
    double sum = 0.0;
    double inverse = 2.0 / x;
    for (int k = order; k > 0; k--) {
        if (k == n) wanted = current;
        if (!(k & 1)) sum += 2.0 * current;
        double previous = k * inverse * current - next;
        next = current;
        current = previous;
        if (__builtin_fabs(current) > 0x1p600) {
            current *= 0x1p-600;
            next *= 0x1p-600;
            sum *= 0x1p-600;
            wanted *= 0x1p-600;
        }
    }
    return wanted / (sum + current);
}

double DEVICE(jn)(int n, double x) {
    if (n == 0) return DEVICE(j0)(x);
    double sign = 1.0;
    if (n < 0) {
        /* The least integer has no opposite, and beyond its neighbour the value is as good as zero. */
        n = n < -2147483647 ? 2147483646 : -n;
        if (n & 1) sign = -sign;
    }
    if (sign_of(x) && (n & 1)) sign = -sign;
    if (n == 1) return DEVICE(j1)(__builtin_fabs(x)) * sign;
    if (is_nan(x)) return x;
    x = __builtin_fabs(x);
    if (x == 0.0 || is_infinite(x)) return sign * 0.0;
    if (n > x) {
        /* For tiny x, 2 k / x would overflow on the way down: two terms of the series are all there is. */
        if (x >= 0x1p-20) return sign * downwards(n, x);
        double value = __builtin_fma(-0.25 * x / (n + 1.0), x, 1.0);
        for (int k = 1; k <= n && value > 0.0; k++) value *= 0.5 * x / k;
        return sign * value;
    }
    struct bessel start = orders_0_and_1(x);
    return sign * upwards(n, x, start.j0, start.j1);
}

double DEVICE(yn)(int n, double x) {
    double sign = 1.0;
    if (n < 0) {
        n = n < -2147483647 ? 2147483646 : -n;
        if (n & 1) sign = -1.0;
    }
    if (n == 0) return DEVICE(y0)(x);
    if (!(x > 0.0)) return x == 0.0 ? -INFINITY_D * sign : NAN_D;
    if (is_infinite(x)) return 0.0;
    struct bessel start = orders_0_and_1(x);
    return sign * upwards(n, x, start.y0, start.y1);
}

float DEVICE(j0f)(float x) { return (float)DEVICE(j0)(x); }
float DEVICE(j1f)(float x) { return (float)DEVICE(j1)(x); }
float DEVICE(y0f)(float x) { return (float)DEVICE(y0)(x); }
float DEVICE(y1f)(float x) { return (float)DEVICE(y1)(x); }
float DEVICE(jnf)(int n, float x) { return (float)DEVICE(jn)(n, x); }
float DEVICE(ynf)(int n, float x) { return (float)DEVICE(yn)(n, x); }
