// What helpers.c and helpers.cu have in common: sizes, structures, data, and all that the loops do, in small
// functions: structures by value, accessors, loops of a few iterations, results through pointers.
#include <math.h>

#ifdef __CUDACC__
#define FUNCTION __device__ static inline
#else
#define FUNCTION static
#endif

enum {
    N = 1 << 25,       // elements of vectors of float or int, half as many of double
    SIDE = 2048,       // of pictures
    CUBE = 256,        // edge of a cube
    BODIES = 16384,
    CELLS = 1 << 20,   // of gas, and of a lattice
    WALKS = 1 << 19,
    OPTIONS = 1 << 22,
    TURNS = 1 << 22,
    MATRICES = 1 << 18, // of four by four
    ROWS = 1 << 18,     // of a sparse matrix
    IN_ROW = 16,
    ORDER = 1024, // of a product
    POINTS = 1 << 19,
    MEANS = 32,
    TRAITS = 16,
    WORDS = 1 << 18,
    LETTERS = 24,
    SPECTRUM = 1 << 20,
};

struct number {
    float re, im;
};

FUNCTION struct number sum(struct number a, struct number b)
{
    struct number c = {a.re + b.re, a.im + b.im};
    return c;
}

FUNCTION struct number difference(struct number a, struct number b)
{
    struct number c = {a.re - b.re, a.im - b.im};
    return c;
}

FUNCTION struct number product(struct number a, struct number b)
{
    struct number c = {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
    return c;
}

/// Four values of a transform, `apart` from each other, become neighbours.
FUNCTION void butterfly(int i, int apart, const struct number *x, struct number *y)
{
    struct number a = x[i], b = x[i + apart], c = x[i + 2 * apart], d = x[i + 3 * apart];
    struct number twiddle = {cosf(1e-6f * i), sinf(1e-6f * i)}, turned = {0, -1};
    struct number even = sum(a, c), odd = sum(b, d), first = difference(a, c), second = product(turned, difference(b, d));
    y[4 * i] = sum(even, odd);
    y[4 * i + 1] = product(twiddle, sum(first, second));
    y[4 * i + 2] = product(product(twiddle, twiddle), difference(even, odd));
    y[4 * i + 3] = product(twiddle, difference(first, second));
}

struct body {
    float x, y, z, mass;
};

FUNCTION struct body pulled_by(struct body a, struct body b, struct body force)
{
    float dx = b.x - a.x, dy = b.y - a.y, dz = b.z - a.z;
    float by = 1 / sqrtf(dx * dx + dy * dy + dz * dz + 1e-3f), scale = b.mass * by * by * by;
    force.x += dx * scale;
    force.y += dy * scale;
    force.z += dz * scale;
    return force;
}

/// A value between the points of a picture.
FUNCTION float sampled(const float *x, float column, float row)
{
    if (column < 0 || row < 0 || column >= SIDE - 1 || row >= SIDE - 1)
        return 0;
    int j = (int)column, i = (int)row;
    float right = column - j, down = row - i;
    const float *at = x + i * SIDE + j;
    return (1 - down) * ((1 - right) * at[0] + right * at[1]) + down * ((1 - right) * at[SIDE] + right * at[SIDE + 1]);
}

FUNCTION float point(const float *x, int i, int j, int k) { return x[(i * CUBE + j) * CUBE + k]; }

FUNCTION float laplacian(const float *x, int i, int j, int k)
{
    return point(x, i - 1, j, k) + point(x, i + 1, j, k) + point(x, i, j - 1, k) + point(x, i, j + 1, k) +
           point(x, i, j, k - 1) + point(x, i, j, k + 1) - 6 * point(x, i, j, k);
}

struct gas {
    double density, u, v, w, pressure;
};

FUNCTION struct gas state(const double *x, int i)
{
    struct gas s;
    s.density = x[i] + 0.1;
    s.u = x[CELLS + i] / s.density;
    s.v = x[2 * CELLS + i] / s.density;
    s.w = x[3 * CELLS + i] / s.density;
    s.pressure = 0.4 * (x[4 * CELLS + i] + 10 - 0.5 * s.density * (s.u * s.u + s.v * s.v + s.w * s.w));
    return s;
}

FUNCTION double energy(struct gas s) { return s.pressure / 0.4 + 0.5 * s.density * (s.u * s.u + s.v * s.v + s.w * s.w); }

FUNCTION struct gas flux(struct gas s)
{
    struct gas f = {s.density * s.u, s.density * s.u * s.u + s.pressure, s.density * s.u * s.v, s.density * s.u * s.w,
                    s.u * (energy(s) + s.pressure)};
    return f;
}

FUNCTION void advanced(int i, const double *x, double *y)
{
    struct gas left = flux(state(x, i - 1)), here = state(x, i), right = flux(state(x, i + 1));
    y[i] = here.density - 0.1 * (right.density - left.density);
    y[CELLS + i] = here.density * here.u - 0.1 * (right.u - left.u);
    y[2 * CELLS + i] = here.density * here.v - 0.1 * (right.v - left.v);
    y[3 * CELLS + i] = here.density * here.w - 0.1 * (right.w - left.w);
    y[4 * CELLS + i] = energy(here) - 0.1 * (right.pressure - left.pressure);
}

FUNCTION unsigned next(unsigned *state)
{
    unsigned x = *state;
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    return *state = x;
}

FUNCTION float uniform(unsigned *state) { return (next(state) >> 8) * (1.0f / 16777216); }

FUNCTION float walked(unsigned state)
{
    float x = 0, y = 0;
    for (int k = 0; k < 200; k++) {
        x += uniform(&state) - 0.5f;
        y += uniform(&state) - 0.5f;
    }
    return sqrtf(x * x + y * y);
}

FUNCTION float normal(float x)
{
    float k = 1 / (1 + 0.2316419f * fabsf(x));
    float sum = k * (0.31938153f + k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f))));
    float tail = 0.39894228f * expf(-0.5f * x * x) * sum;
    return x > 0 ? 1 - tail : tail;
}

FUNCTION void priced(float spot, float strike, float years, float *call, float *put)
{
    const float rate = 0.02f, volatility = 0.3f;
    float root = sqrtf(years), grown = expf(-rate * years);
    float d1 = (logf(spot / strike) + (rate + 0.5f * volatility * volatility) * years) / (volatility * root);
    float d2 = d1 - volatility * root;
    *call = spot * normal(d1) - strike * grown * normal(d2);
    *put = strike * grown * (1 - normal(d2)) - spot * (1 - normal(d1));
}

struct vector {
    float x, y, z;
};

struct turn {
    float w, x, y, z;
};

FUNCTION struct vector cross(struct vector a, struct vector b)
{
    struct vector c = {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
    return c;
}

FUNCTION struct vector plus(float by, struct vector a, struct vector b)
{
    struct vector c = {by * a.x + b.x, by * a.y + b.y, by * a.z + b.z};
    return c;
}

FUNCTION struct vector turned(struct turn by, struct vector v)
{
    struct vector axis = {by.x, by.y, by.z};
    return plus(2, cross(axis, plus(by.w, v, cross(axis, v))), v);
}

struct matrix {
    float at[4][4];
};

FUNCTION struct matrix times(struct matrix a, struct matrix b)
{
    struct matrix c;
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) {
            c.at[i][j] = 0;
            for (int k = 0; k < 4; k++)
                c.at[i][j] += a.at[i][k] * b.at[k][j];
        }
    return c;
}

/// What a direction of a lattice has where nothing changes.
FUNCTION float settled(int k, float density, float u, float v)
{
    const float weight[9] = {4 / 9.f, 1 / 9.f, 1 / 9.f, 1 / 9.f, 1 / 9.f, 1 / 36.f, 1 / 36.f, 1 / 36.f, 1 / 36.f};
    const int right[9] = {0, 1, 0, -1, 0, 1, -1, -1, 1}, up[9] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
    float along = 3 * (right[k] * u + up[k] * v);
    return weight[k] * density * (1 + along + 0.5f * along * along - 1.5f * (u * u + v * v));
}

FUNCTION void relaxed(int i, const float *x, float *y)
{
    float in[9], density = 0;
    for (int k = 0; k < 9; k++) {
        in[k] = 0.1f + x[k * CELLS + i];
        density += in[k];
    }
    float u = (in[1] + in[5] + in[8] - in[3] - in[6] - in[7]) / density;
    float v = (in[2] + in[5] + in[6] - in[4] - in[7] - in[8]) / density;
    for (int k = 0; k < 9; k++)
        y[k * CELLS + i] = in[k] + 0.6f * (settled(k, density, u, v) - in[k]);
}

FUNCTION double of_row(const int *column, const double *x, const double *y, int first, int end)
{
    double sum = 0;
    for (int k = first; k < end; k++)
        sum += x[k] * y[column[k] % ROWS];
    return sum;
}

FUNCTION float element(const float *x, int i, int j) { return x[i * ORDER + j]; }

FUNCTION float distance(const float *x, const float *y, int n)
{
    float sum = 0;
    for (int k = 0; k < n; k++)
        sum += (x[k] - y[k]) * (x[k] - y[k]);
    return sum;
}

FUNCTION int nearest(const float *x, const float *means)
{
    int best = 0;
    float least = distance(x, means, TRAITS);
    for (int m = 1; m < MEANS; m++) {
        float now = distance(x, means + m * TRAITS, TRAITS);
        if (now < least) {
            least = now;
            best = m;
        }
    }
    return best;
}

FUNCTION int least_of(int a, int b, int c)
{
    int least = a < b ? a : b;
    return least < c ? least : c;
}

/// How many letters of a word change to make another.
FUNCTION int changes(const unsigned char *a, const unsigned char *b)
{
    int row[LETTERS + 1];
    for (int j = 0; j <= LETTERS; j++)
        row[j] = j;
    for (int i = 1; i <= LETTERS; i++) {
        int diagonal = row[0];
        row[0] = i;
        for (int j = 1; j <= LETTERS; j++) {
            int above = row[j];
            row[j] = least_of(above + 1, row[j - 1] + 1, diagonal + ((a[i - 1] & 3) != (b[j - 1] & 3)));
            diagonal = above;
        }
    }
    return row[LETTERS];
}

struct colour {
    unsigned char red, green, blue;
};

struct hue {
    float hue, saturation, value;
};

FUNCTION struct hue hue_of(struct colour c)
{
    float r = c.red / 255.f, g = c.green / 255.f, b = c.blue / 255.f;
    float most = fmaxf(r, fmaxf(g, b)), range = most - fminf(r, fminf(g, b));
    struct hue h = {0, most > 0 ? range / most : 0, most};
    if (range > 0)
        h.hue = most == r ? (g - b) / range : most == g ? 2 + (b - r) / range : 4 + (r - g) / range;
    return h;
}

FUNCTION struct colour bytes_of(float r, float g, float b)
{
    struct colour c = {(unsigned char)(255 * r), (unsigned char)(255 * g), (unsigned char)(255 * b)};
    return c;
}

FUNCTION struct colour colour_of(struct hue h)
{
    float sixth = h.hue < 0 ? h.hue + 6 : h.hue, part = sixth - (int)sixth;
    float low = h.value * (1 - h.saturation), falling = h.value * (1 - h.saturation * part);
    float rising = h.value * (1 - h.saturation * (1 - part));
    switch ((int)sixth) {
    case 0: return bytes_of(h.value, rising, low);
    case 1: return bytes_of(falling, h.value, low);
    case 2: return bytes_of(low, h.value, rising);
    case 3: return bytes_of(low, falling, h.value);
    case 4: return bytes_of(rising, low, h.value);
    default: return bytes_of(h.value, low, falling);
    }
}

FUNCTION struct colour paler(struct colour c)
{
    struct hue h = hue_of(c);
    h.saturation *= 0.7f;
    return colour_of(h);
}

#undef FUNCTION

static void fill(float *a, double *wide, int *column)
{
    for (long i = 0; i < N; i++) {
        a[i] = (i * 7919 % 10007) / 10007.f + 0.01f;
        column[i] = (int)(i * 48271 % 1000003);
    }
    for (long i = 0; i < N / 2; i++)
        wide[i] = (i * 7919 % 10007) / 10007.0;
}
