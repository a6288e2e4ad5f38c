/* Black-Scholes with a polynomial for the normal distribution, binomial options, Monte Carlo paths. */
#include "../loops/timing.h"
#include <math.h>
#include <stdint.h>

typedef struct {
    double spot, strike, rate, volatility, time;
    int call;
} option;

option *options;

static double cnd(double x)
{
    double l = fabs(x), k = 1 / (1 + 0.2316419 * l);
    double w = 1 - 0.398942280401433 * exp(-l * l / 2) *
                       (k * (0.319381530 + k * (-0.356563782 + k * (1.781477937 + k * (-1.821255978 + k * 1.330274429)))));
    return x < 0 ? 1 - w : w;
}

static double black_scholes(const option *o)
{
    double s = o->volatility * sqrt(o->time);
    double d1 = (log(o->spot / o->strike) + (o->rate + o->volatility * o->volatility / 2) * o->time) / s, d2 = d1 - s;
    double discounted = o->strike * exp(-o->rate * o->time);
    return o->call ? o->spot * cnd(d1) - discounted * cnd(d2) : discounted * cnd(-d2) - o->spot * cnd(-d1);
}

static double binomial(const option *o, int steps)
{
    double values[steps + 1], dt = o->time / steps, up = exp(o->volatility * sqrt(dt)), down = 1 / up;
    double growth = exp(o->rate * dt), p = (growth - down) / (up - down), discount = 1 / growth;
    double price = o->spot * pow(down, steps);
    for (int i = 0; i <= steps; i++, price *= up * up) {
        double gain = o->call ? price - o->strike : o->strike - price;
        values[i] = gain > 0 ? gain : 0;
    }
    for (int step = steps - 1; step >= 0; step--) {
        price = o->spot * pow(down, step);
        for (int i = 0; i <= step; i++, price *= up * up) {
            double hold = discount * (p * values[i + 1] + (1 - p) * values[i]);
            double exercise = o->call ? price - o->strike : o->strike - price;
            values[i] = hold > exercise ? hold : exercise;
        }
    }
    return values[0];
}

void setup(long n)
{
    options = array(n, sizeof *options);
    uint32_t seed = 7;
    for (long i = 0; i < n; i++) {
        seed = seed * 1664525 + 1013904223;
        options[i] = (option){80 + (seed >> 10) % 40, 100, 0.02 + (seed >> 7) % 5 / 100.0, 0.1 + (seed >> 13) % 4 / 10.0,
                              0.5 + (seed >> 21) % 4, seed >> 31};
    }
}

double kernel(long n)
{
    double sum = 0;
    for (int r = 0; r < 10; r++)
        for (long i = 0; i < n; i++)
            sum += black_scholes(&options[i]);
    for (long i = 0; i < n; i += 50)
        sum += binomial(&options[i], 200);
    return sum;
}
