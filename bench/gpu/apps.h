// What apps.c and apps.cu have in common: sizes, structures, tables, and the small functions that loops call.
#include <math.h>

#ifdef __CUDACC__
#define TABLE __device__ constexpr
#define FUNCTION __device__ inline
#else
#define TABLE static const
#define FUNCTION static inline
#endif

enum {
    N = 1 << 26,         // elements of vectors
    PLANE = 4096,        // edge of pictures and fields
    CUBE = 256,          // edge of cubes of double
    COLOURED = 384,      // edge of the cube whose red cells are relaxed
    STATES = 1 << 23,    // of a gas, and of one with powers
    SPECIES = 8,         // of a mixture, and reactions between them
    MIXTURES = 1 << 21,
    NODES = 1 << 20,     // of graphs and of sparse matrices
    MOST_PER_ROW = 24,   // entries of a row, at most
    EDGES = 1 << 21,     // of a mesh
    CHARGES = 1 << 21,   // particles
    GRID = 1024,         // edge of the field that they move in
    CELLS = 1 << 17,     // 64 * 64 * 32, which particles are sorted into
    SLOTS = 64,          // of each
    BODIES = 1 << 14,
    CORNERS = 1 << 18,   // nodes of a mesh of hexahedra
    HEXAHEDRA = 1 << 16,
    BANDED = 1 << 21,    // rows of the matrix of diagonals
    DIAGONALS = 9,
    INVERSES = 1 << 20,  // matrices of 4 by 4
    SOLVES = 1 << 19,    // systems of 5
    ORDER = 1024,        // rows of the matrix that is multiplied by its transpose
    SHARED = 512,        // columns of it
    EXTENT = 48,         // of each index of a tensor
    HALF = 1 << 10,      // distance of the two numbers of a butterfly
    PIXELS = 1 << 24,
    ENTRIES = 33,        // of a table of colours, in each of three dimensions
    MOST_STEPS = 64,
    SPHERES = 32,
    MESSAGES = 1 << 21,
    RECORDS = 1 << 20,
    OF_RECORD = 64,      // bytes
    OF_TILE = 4096,      // keys whose digits are counted together
    PAIRS = 1 << 18,     // of words
    LETTERS = 32,        // of each
    POWERS = 1 << 21,
    WALKS = 1 << 18,     // of a price
    DAYS = 64,
    IMAGES = 8,
    FROM = 32,           // channels of a convolution, in and out
    TO = 64,
    PICTURE = 112,       // edge of what it reads
    QUERIES = 1 << 13,
    KEYS = 512,
    DEPTH = 64,
    BAGS = 1 << 16,
    OF_BAG = 32,
    ROWS_OF_TABLE = 1 << 18,
    EXAMPLES = 1 << 14,
    CLASSES = 1000,
    LONG_ROWS = 1 << 15,
    LONG = 1024,
    VECTORS = 1 << 16,   // whose cosines are wanted
    OF_VECTOR = 256,
    WEIGHTS = 1 << 24,
    SAMPLES = 1 << 24,
    TAPS = 64,
    CHANNELS = 1 << 14,
    MOMENTS = 256        // samples of each
};

struct cell {
    float h, hu, hv;
};

struct gas {
    double density, speed, pressure;
};

struct flow {
    double mass, momentum, energy;
};

struct reaction {
    double factor, energy;
    int left, right, product;
};

struct edge {
    int from, to;
};

struct charge {
    float x, y, vx, vy;
};

struct vec3 {
    float x, y, z;
};

struct body {
    double x, y, z, mass;
};

struct force {
    double x, y, z;
};

struct number {
    float re, im;
};

struct colour {
    unsigned char r, g, b;
};

struct sphere {
    float x, y, z, radius;
};

struct biquad {
    float b0, b1, b2, a1, a2;
};

TABLE struct reaction reactions_of[SPECIES] = {
    {2.0, 900, 0, 1, 2}, {3.5, 1200, 2, 3, 4}, {1.5, 400, 4, 5, 6}, {4.0, 2100, 1, 6, 7},
    {0.5, 100, 7, 0, 3}, {2.5, 1600, 3, 4, 5}, {1.0, 700, 5, 2, 1}, {3.0, 1900, 6, 7, 0}};
TABLE int diagonal_at[DIAGONALS] = {-4097, -4096, -64, -1, 0, 1, 64, 4096, 4097};
TABLE float gauss[9] = {0.0276f, 0.0663f, 0.1238f, 0.1802f, 0.2042f, 0.1802f, 0.1238f, 0.0663f, 0.0276f};
TABLE struct biquad section[4] = {
    {0.2f, 0.4f, 0.2f, -0.5f, 0.3f}, {0.3f, 0.5f, 0.3f, -0.2f, 0.3f}, {0.25f, 0.4f, 0.25f, 0.1f, -0.2f}, {0.9f, 0.1f, 0.1f, 0.05f, 0.05f}};
TABLE char alphabet[65] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
TABLE unsigned round_constant[64] = {
    0x428a2f98u, 0x71374491u, 0xb5c0fbcfu, 0xe9b5dba5u, 0x3956c25bu, 0x59f111f1u, 0x923f82a4u, 0xab1c5ed5u,
    0xd807aa98u, 0x12835b01u, 0x243185beu, 0x550c7dc3u, 0x72be5d74u, 0x80deb1feu, 0x9bdc06a7u, 0xc19bf174u,
    0xe49b69c1u, 0xefbe4786u, 0x0fc19dc6u, 0x240ca1ccu, 0x2de92c6fu, 0x4a7484aau, 0x5cb0a9dcu, 0x76f988dau,
    0x983e5152u, 0xa831c66du, 0xb00327c8u, 0xbf597fc7u, 0xc6e00bf3u, 0xd5a79147u, 0x06ca6351u, 0x14292967u,
    0x27b70a85u, 0x2e1b2138u, 0x4d2c6dfcu, 0x53380d13u, 0x650a7354u, 0x766a0abbu, 0x81c2c92eu, 0x92722c85u,
    0xa2bfe8a1u, 0xa81a664bu, 0xc24b8b70u, 0xc76c51a3u, 0xd192e819u, 0xd6990624u, 0xf40e3585u, 0x106aa070u,
    0x19a4c116u, 0x1e376c08u, 0x2748774cu, 0x34b0bcb5u, 0x391c0cb3u, 0x4ed8aa4au, 0x5b9cca4fu, 0x682e6ff3u,
    0x748f82eeu, 0x78a5636fu, 0x84c87814u, 0x8cc70208u, 0x90befffau, 0xa4506cebu, 0xbef9a3f7u, 0xc67178f2u
};
TABLE float cosine[8][8] = {
    {0.3535534f, 0.3535534f, 0.3535534f, 0.3535534f, 0.3535534f, 0.3535534f, 0.3535534f, 0.3535534f},
    {0.4903926f, 0.4157348f, 0.2777851f, 0.0975452f, -0.0975452f, -0.2777851f, -0.4157348f, -0.4903926f},
    {0.4619398f, 0.1913417f, -0.1913417f, -0.4619398f, -0.4619398f, -0.1913417f, 0.1913417f, 0.4619398f},
    {0.4157348f, -0.0975452f, -0.4903926f, -0.2777851f, 0.2777851f, 0.4903926f, 0.0975452f, -0.4157348f},
    {0.3535534f, -0.3535534f, -0.3535534f, 0.3535534f, 0.3535534f, -0.3535534f, -0.3535534f, 0.3535534f},
    {0.2777851f, -0.4903926f, 0.0975452f, 0.4157348f, -0.4157348f, -0.0975452f, 0.4903926f, -0.2777851f},
    {0.1913417f, -0.4619398f, 0.4619398f, -0.1913417f, -0.1913417f, 0.4619398f, -0.4619398f, 0.1913417f},
    {0.0975452f, -0.2777851f, 0.4157348f, -0.4903926f, 0.4903926f, -0.4157348f, 0.2777851f, -0.0975452f}
};

/// What flows through the face between two cells of shallow water.
FUNCTION struct cell through(struct cell l, struct cell r)
{
    float ul = l.h > 0.01f ? l.hu / l.h : 0, ur = r.h > 0.01f ? r.hu / r.h : 0;
    float sl = fabsf(ul) + sqrtf(9.81f * l.h), sr = fabsf(ur) + sqrtf(9.81f * r.h), s = sl > sr ? sl : sr;
    struct cell f;
    f.h = 0.5f * (l.hu + r.hu - s * (r.h - l.h));
    f.hu = 0.5f * (l.hu * ul + r.hu * ur + 4.905f * (l.h * l.h + r.h * r.h) - s * (r.hu - l.hu));
    f.hv = 0.5f * (l.hv * ul + r.hv * ur - s * (r.hv - l.hv));
    return f;
}

FUNCTION struct cell turned(struct cell x)
{
    struct cell y = {x.h, x.hv, x.hu};
    return y;
}

FUNCTION double weighted(double a, double b, double c, double d, double e)
{
    double p = a - 2 * b + c, q = b - 2 * c + d, r = c - 2 * d + e;
    double s = a - 4 * b + 3 * c, t = b - d, u = 3 * c - 4 * d + e;
    double is0 = 13.0 / 12 * p * p + 0.25 * s * s + 1e-6, is1 = 13.0 / 12 * q * q + 0.25 * t * t + 1e-6,
           is2 = 13.0 / 12 * r * r + 0.25 * u * u + 1e-6;
    double w0 = 0.1 / (is0 * is0), w1 = 0.6 / (is1 * is1), w2 = 0.3 / (is2 * is2);
    return (w0 * (2 * a - 7 * b + 11 * c) + w1 * (-b + 5 * c + 2 * d) + w2 * (2 * c + 5 * d - e)) / (6 * (w0 + w1 + w2));
}

FUNCTION struct flow flow_of(struct gas x)
{
    double energy = x.pressure / 0.4 + 0.5 * x.density * x.speed * x.speed;
    struct flow f = {x.density * x.speed, x.density * x.speed * x.speed + x.pressure, x.speed * (energy + x.pressure)};
    return f;
}

/// What flows from one state of a gas to the next (Harten, Lax, van Leer).
FUNCTION struct flow between(struct gas l, struct gas r)
{
    double cl = sqrt(1.4 * l.pressure / l.density), cr = sqrt(1.4 * r.pressure / r.density);
    double first = fmin(l.speed - cl, r.speed - cr), last = fmax(l.speed + cl, r.speed + cr);
    struct flow a = flow_of(l), b = flow_of(r), f;
    if (first >= 0)
        return a;
    if (last <= 0)
        return b;
    double by = 1 / (last - first), el = l.pressure / 0.4 + 0.5 * l.density * l.speed * l.speed,
           er = r.pressure / 0.4 + 0.5 * r.density * r.speed * r.speed;
    f.mass = (last * a.mass - first * b.mass + first * last * (r.density - l.density)) * by;
    f.momentum = (last * a.momentum - first * b.momentum + first * last * (b.mass - a.mass)) * by;
    f.energy = (last * a.energy - first * b.energy + first * last * (er - el)) * by;
    return f;
}

/// A field at a point within its cell (row, column).
FUNCTION float field_at(const float *field, int row, int column, float dr, float ds)
{
    const float *x = field + row * GRID + column;
    return (1 - dr) * ((1 - ds) * x[0] + ds * x[1]) + dr * ((1 - ds) * x[GRID] + ds * x[GRID + 1]);
}

FUNCTION struct vec3 blend(struct vec3 a, struct vec3 b, float t)
{
    struct vec3 c = {a.x + t * (b.x - a.x), a.y + t * (b.y - a.y), a.z + t * (b.z - a.z)};
    return c;
}

FUNCTION float dot(struct vec3 a, struct vec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

/// How far along a ray from the origin a sphere is; negative if the ray misses it.
FUNCTION float distance(struct vec3 ray, struct sphere s)
{
    struct vec3 middle = {s.x, s.y, s.z};
    float along = dot(ray, middle), square = along * along - dot(middle, middle) + s.radius * s.radius;
    return square < 0 ? -1 : along - sqrtf(square);
}

FUNCTION unsigned turn(unsigned x, int by)
{
    return x >> by | x << (32 - by);
}

FUNCTION unsigned step(unsigned long long *state)
{
    *state = *state * 6364136223846793005ull + 1442695040888963407ull;
    return *state >> 40;
}

/// The remainders of the bytes, of the checksum that Ethernet has.
static inline void fill_remainders(unsigned *remainders)
{
    for (unsigned i = 0; i < 256; i++) {
        unsigned value = i;
        for (int bit = 0; bit < 8; bit++)
            value = value & 1 ? value >> 1 ^ 0xedb88320u : value >> 1;
        remainders[i] = value;
    }
}
