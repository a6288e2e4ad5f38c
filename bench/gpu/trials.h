// What trials.c and trials.cu have in common: sizes, structures, data, and small functions that loops call.
#include <math.h>

#ifdef __CUDACC__
#define FUNCTION __device__ inline
#else
#define FUNCTION _Pragma("acc routine seq") static inline
#endif

enum {
    N = 1 << 25,   // elements of vectors of float or int, half as many of double
    GAS = 64,      // cells across a channel of gas, which is four times as long
    OF_CELL = 20,  // floats of a cell: 19 directions and a mark
    SHIP = 1280,   // edge of a plane of gas or heat in double
    STAR = 64,     // layers of a shell, twice as many cells in the other directions
    GRID = 128,    // edge of a cube of a multigrid's level
    SHIELD = 256,  // edge of layers of a box of waves, half as many layers
    EARTH = 256,   // edge of a cube of float
    SKY = 1 << 15, // columns of air
    BANDS = 8,     // of the light that goes through them
    LEVELS = 64,
    MOMENTS = 25, // of the directions of neutrons
    DIRECTIONS = 64,
    GROUPS = 32,
    ZONES = 4096,
    POINTS = 2048, // of a table of measured values
    VARIABLES = 512,
    BASIS = 1024, // rows of vectors that are made orthogonal
    VECTORS = 1 << 14,
    SQUARE = 4096, // edge of matrices and pictures
    FIVE = 5,
    SYSTEMS = 1 << 18, // of five equations
    SITES = 1 << 17,   // of a lattice, four links each
    STATIONS = 64,     // of a telescope
    CHANNELS = 256,
    SAMPLES = 256,
    SEGMENTS = 1 << 15,
    ROWS = 1 << 20, // of sparse matrices
    WIDEST = 20,    // entries of the widest row
    DENSE = 32,     // columns of a dense matrix
    TALL = 1 << 17, // rows of a sparse one in front of it
    TAPS = 33,
    SMALL = 2048, // edge of smaller pictures
    NOISY = 512,
    PATCH = 2, // cells around one that are compared, and around it that are asked
    ASKED = 4,
    FRAME = 1024, // edge of the pictures of a film
    MACRO = 8,    // edge of its blocks
    MOVED = 8,    // how far they move
    STARS = 4096,
    BINS = 20,
    SLICE = 512, // edge of a plane of potential
    CHARGES = 1024,
    MESH = 64, // cells of a cube that particles charge
    IONS = 1 << 21,
    CLOTH = 2048,
    RAYS = 1 << 17,
    FACES = 256,
    SCREEN = 1024,
    DIMENSIONS = 64, // of points of a sequence
    SEQUENCE = 1 << 18,
    OPTIONS = 1 << 20,
    BONDS = 1 << 19,
    STREAMS = 1 << 19,
    DARTS = 128,
    ORBITS = 1 << 20,
    VESSELS = 1 << 16,
    CUSTOMERS = 1 << 18,
    TRAITS = 32,
    SHOPS = 256,
    PICTURES = 2048, // descriptors that are looked for, of 256 bits
    KNOWN = 8192,    // among these
    TREES = 32,
    DEPTH = 8,
    CASES = 1 << 17,
    FEATURES = 64,
    FANOUT = 16, // of a search tree
    FLOORS = 5,
    NODES = 1 + 16 + 256 + 4096 + 65536,
    QUERIES = 1 << 21,
    SLOTS = 1 << 22, // of a table of keys, half full
    PROBES = 1 << 22,
    KINDS = 4096,
    SALES = 1 << 23,
    MACHINE = 64, // states
    TEXTS = 1 << 16,
    OF_TEXT = 256,
    SECRETS = 1 << 20, // blocks of 16 bytes
    TRIPLES = 1 << 23,
    BATCH = 4096,
    WORDS = 8192,
    TOKENS = 1 << 18,
    EXPERTS = 64,
    OUTPUTS = 1 << 14,
    INPUTS = 8192,
    TOGETHER = 32, // weights that have a scale
    MEMORY = 1024,
    BOXES = 8192,
    REGIONS = 512,
    MAPS = 64,
    MAP = 128,
    POOLED = 7
};

struct number {
    float re, im;
};

/// A matrix of a lattice's link.
struct matrix {
    struct number e[3][3];
};

struct site {
    struct matrix link[4];
};

struct four {
    float x, y, z, w;
};

struct split {
    int feature;
    float threshold;
};

struct node {
    int keys[FANOUT];
    int first;
};

struct total {
    long long cents, count;
};

struct stride {
    long i, j, k;
};

struct box {
    float left, top, right, bottom;
};

/// Where the gas of a direction goes to.
FUNCTION int to_x(int q)
{
    const int x[19] = {0, 1, -1, 0, 0, 0, 0, 1, -1, 1, -1, 1, -1, 1, -1, 0, 0, 0, 0};
    return x[q];
}

FUNCTION int to_y(int q)
{
    const int y[19] = {0, 0, 0, 1, -1, 0, 0, 1, -1, -1, 1, 0, 0, 0, 0, 1, -1, 1, -1};
    return y[q];
}

FUNCTION int to_z(int q)
{
    const int z[19] = {0, 0, 0, 0, 0, 1, -1, 0, 0, 0, 0, 1, -1, -1, 1, 1, -1, -1, 1};
    return z[q];
}

FUNCTION float part_of(int q) { return q == 0 ? 1.0f / 3 : q < 7 ? 1.0f / 18 : 1.0f / 36; }

FUNCTION int back_from(int q) { return q == 0 ? 0 : q % 2 == 1 ? q + 1 : q - 1; }

/// The price of an option to buy.
FUNCTION double price_of_call(double spot, double strike, double rate, double years, double spread)
{
    double root = spread * sqrt(years), one = (log(spot / strike) + (rate + 0.5 * spread * spread) * years) / root;
    double two = one - root;
    return 0.5 * spot * erfc(-one * 0.70710678118654752) - 0.5 * strike * exp(-rate * years) * erfc(-two * 0.70710678118654752);
}

FUNCTION unsigned next_random(unsigned x)
{
    x ^= x << 13;
    x ^= x >> 17;
    return x ^ x << 5;
}

FUNCTION unsigned scattered(unsigned x)
{
    x = (x ^ x >> 16) * 0x7feb352du;
    x = (x ^ x >> 15) * 0x846ca68bu;
    return x ^ x >> 16;
}

FUNCTION float faded(float t) { return t * t * t * (t * (t * 6 - 15) + 10); }

/// One of eight slopes at a corner.
FUNCTION float slope(int hash, float x, float y)
{
    float u = (hash & 1) ? -x : x, v = (hash & 2) ? -y : y;
    return (hash & 4) ? u + 0.5f * v : v + 0.5f * u;
}

FUNCTION float noise_at(const int *table, float x, float y)
{
    int i = (int)floorf(x), j = (int)floorf(y);
    float dx = x - i, dy = y - j, u = faded(dx), v = faded(dy);
    i &= 255;
    j &= 255;
    int one = table[table[i] + j], two = table[table[i + 1] + j];
    int three = table[table[i] + j + 1], four = table[table[i + 1] + j + 1];
    float low = slope(one, dx, dy) + u * (slope(two, dx - 1, dy) - slope(one, dx, dy));
    float high = slope(three, dx, dy - 1) + u * (slope(four, dx - 1, dy - 1) - slope(three, dx, dy - 1));
    return low + v * (high - low);
}

/// The density of a volume between its cells.
FUNCTION float within(const float *volume, int n, float x, float y, float z)
{
    int i = (int)x, j = (int)y, k = (int)z;
    const float *v = volume + (k * n + j) * n + i;
    x -= i;
    y -= j;
    z -= k;
    float a = v[0] + x * (v[1] - v[0]), b = v[n] + x * (v[n + 1] - v[n]);
    v += n * n;
    float c = v[0] + x * (v[1] - v[0]), d = v[n] + x * (v[n + 1] - v[n]);
    a += y * (b - a);
    c += y * (d - c);
    return a + z * (c - a);
}

/// How far away a ray from `o` meets a triangle; `far` if it does not.
FUNCTION float meets(const float *o, const float *d, const float *p, float far)
{
    float ux = p[3] - p[0], uy = p[4] - p[1], uz = p[5] - p[2], vx = p[6] - p[0], vy = p[7] - p[1], vz = p[8] - p[2];
    float px = d[1] * vz - d[2] * vy, py = d[2] * vx - d[0] * vz, pz = d[0] * vy - d[1] * vx;
    float det = ux * px + uy * py + uz * pz;
    if (fabsf(det) < 1e-6f)
        return far;
    float by = 1 / det, tx = o[0] - p[0], ty = o[1] - p[1], tz = o[2] - p[2];
    float u = (tx * px + ty * py + tz * pz) * by;
    if (u < 0 || u > 1)
        return far;
    float qx = ty * uz - tz * uy, qy = tz * ux - tx * uz, qz = tx * uy - ty * ux;
    float v = (d[0] * qx + d[1] * qy + d[2] * qz) * by;
    if (v < 0 || u + v > 1)
        return far;
    float t = (vx * qx + vy * qy + vz * qz) * by;
    return t > 0 && t < far ? t : far;
}

/// What two boxes have in common, as a part of what they cover.
FUNCTION float in_common(struct box p, struct box q)
{
    float w = fminf(p.right, q.right) - fmaxf(p.left, q.left), h = fminf(p.bottom, q.bottom) - fmaxf(p.top, q.top);
    float both = w > 0 && h > 0 ? w * h : 0;
    return both / ((p.right - p.left) * (p.bottom - p.top) + (q.right - q.left) * (q.bottom - q.top) - both);
}

/// The value of a map between its points.
FUNCTION float between(const float *map, int n, float y, float x)
{
    y = fminf(fmaxf(y, 0), n - 1.001f);
    x = fminf(fmaxf(x, 0), n - 1.001f);
    int i = (int)y, j = (int)x;
    const float *p = map + i * n + j;
    y -= i;
    x -= j;
    return (1 - y) * ((1 - x) * p[0] + x * p[1]) + y * ((1 - x) * p[n] + x * p[n + 1]);
}

FUNCTION float logistic(float x) { return 1 / (1 + expf(-x)); }

/// What a spring does to a point of a cloth.
FUNCTION struct four pull(struct four p, struct four q, float length)
{
    float dx = q.x - p.x, dy = q.y - p.y, dz = q.z - p.z;
    float now = sqrtf(dx * dx + dy * dy + dz * dz), by = 30 * (now - length) / (now + 1e-6f);
    struct four force = {by * dx, by * dy, by * dz, 0};
    return force;
}

static inline void fill_numbers(float *a, float *b, int *at, int *column, double *wide)
{
    unsigned state = 1;
    for (int i = 0; i < N; i++) {
        state = state * 1664525u + 1013904223u;
        unsigned mixed = (state ^ state >> 16) * 2654435761u;
        a[i] = (state >> 8) * 0x1p-24f;
        b[i] = (mixed >> 8) * 0x1p-24f;
        at[i] = state >> 4;
        column[i] = mixed >> 12;
        wide[i / 2] = a[i];
    }
}

/// The first entries of segments of 1 to 1,000 entries, and of rows of 4 to 19.
static inline void fill_starts(const int *at, long *segments, int *rows)
{
    segments[0] = 0;
    for (int s = 0; s < SEGMENTS; s++)
        segments[s + 1] = segments[s] + 1 + at[s] / 1024 % 1000;
    rows[0] = 0;
    for (int i = 0; i < ROWS; i++)
        rows[i + 1] = rows[i] + 4 + (at[i] >> 14 & 15);
}

/// Jagged diagonals of a matrix whose rows become shorter, each with the rows that reach it, and where rows
/// were before.
static inline void fill_diagonals(int *diagonals, int *places)
{
    for (int i = 0; i < ROWS; i++)
        places[i] = (i * 40503u + 7) % ROWS;
    diagonals[0] = 0;
    for (int d = 0; d < WIDEST; d++)
        diagonals[d + 1] = diagonals[d] + (d < 4 ? ROWS : ROWS / (WIDEST - 4) * (WIDEST - d));
}

/// Directions of stars, and where bins of angles end.
static inline void fill_stars(const float *a, float *stars, float *bins)
{
    for (int s = 0; s < STARS; s++) {
        float z = 2 * a[2 * s] - 1, turn = 6.2831853f * a[2 * s + 1], side = sqrtf(1 - z * z);
        stars[s] = side * cosf(turn);
        stars[STARS + s] = side * sinf(turn);
        stars[2 * STARS + s] = z;
    }
    for (int k = 0; k < BINS; k++)
        bins[k] = cosf(3.14159265f * (k + 1) / (BINS + 1));
}

/// The cases of a cube whose corners are inside or outside: how many triangles each has.
static inline void fill_cases(int *cases)
{
    for (int k = 0; k < 256; k++) {
        int inside = 0, changes = 0;
        for (int bit = 0; bit < 8; bit++) {
            inside += k >> bit & 1;
            changes += (k >> bit & 1) != (k >> (bit + 1) % 8 & 1);
        }
        cases[k] = inside == 0 || inside == 8 ? 0 : 1 + changes / 2 + inside % 2;
    }
}

/// Twice the same order of 256 numbers, of noise and of ciphers.
static inline void fill_order(const int *at, int *order)
{
    for (int i = 0; i < 256; i++)
        order[i] = i;
    for (int i = 255; i > 0; i--) {
        int j = (at[i] >> 8) % (i + 1), last = order[i];
        order[i] = order[j];
        order[j] = last;
    }
    for (int i = 0; i < 256; i++)
        order[256 + i] = order[i];
}

/// A table of four bytes for each byte, as a cipher of columns has it.
static inline void fill_cipher(const int *order, unsigned *cipher)
{
    for (int i = 0; i < 256; i++) {
        unsigned s = order[i], twice = (s << 1 ^ (s >> 7) * 0x1b) & 255;
        cipher[i] = twice | s << 8 | s << 16 | (s ^ twice) << 24;
    }
}

/// Numbers of directions of a sequence: those of a dimension side by side.
static inline void fill_directions(const int *at, unsigned *directions)
{
    for (int d = 0; d < DIMENSIONS; d++)
        for (int bit = 0; bit < 32; bit++) {
            unsigned odd = (unsigned)at[d * 32 + bit] >> 5 | 1;
            directions[d * 32 + bit] = d == 0 || bit == 0 ? 1u << (31 - bit) : odd << (31 - bit);
        }
}

/// A tree of `FLOORS` floors, whose keys divide 2^20 numbers evenly.
static inline void fill_tree(struct node *tree)
{
    int first = 0, count = 1, range = 1 << 20;
    for (int floor = 0; floor < FLOORS; floor++) {
        for (int k = 0; k < count; k++) {
            struct node *n = &tree[first + k];
            for (int key = 0; key < FANOUT; key++)
                n->keys[key] = k * range + (key + 1) * (range / FANOUT);
            n->first = floor < FLOORS - 1 ? first + count + FANOUT * k : -1 - k * FANOUT;
        }
        first += count;
        count *= FANOUT;
        range /= FANOUT;
    }
}

/// A table of keys with open addresses, which 0 leaves free.
static inline void fill_table(const int *at, unsigned long long *keys)
{
    for (int i = 0; i < SLOTS; i++)
        keys[i] = 0;
    for (int i = 0; i < SLOTS / 2; i++) {
        unsigned long long key = ((unsigned long long)at[2 * i] << 24 ^ at[2 * i + 1]) | 1;
        unsigned slot = (unsigned)(key * 0x9e3779b97f4a7c15ull >> 42);
        while (keys[slot % SLOTS] != 0)
            slot++;
        keys[slot % SLOTS] = key;
    }
}

static inline void fill_forest(const int *at, const float *a, struct split *forest)
{
    for (int k = 0; k < TREES << DEPTH; k++) {
        forest[k].feature = (at[k] >> 9) % FEATURES;
        forest[k].threshold = a[N - 1 - k];
    }
}

static inline void fill_boxes(const float *a, struct box *boxes)
{
    for (int k = 0; k < BOXES; k++) {
        boxes[k].left = 100 * a[4 * k];
        boxes[k].top = 100 * a[4 * k + 1];
        boxes[k].right = boxes[k].left + 5 + 20 * a[4 * k + 2];
        boxes[k].bottom = boxes[k].top + 5 + 20 * a[4 * k + 3];
    }
}

/// Points of a cloth that hangs.
static inline void fill_cloth(const float *a, struct four *cloth)
{
    for (int k = 0; k < CLOTH * CLOTH; k++) {
        cloth[k].x = k % CLOTH + 0.2f * a[k];
        cloth[k].y = k / CLOTH + 0.2f * a[k + 1];
        cloth[k].z = 0.3f * a[k + 2];
        cloth[k].w = 0.5f + a[k + 3];
    }
}

/// Where a machine that looks for words goes by a letter; the upper half of its states has found one.
static inline void fill_machine(const int *at, unsigned char *machine)
{
    for (int k = 0; k < MACHINE * 256; k++)
        machine[k] = (at[k] >> 9 & 7) == 0 ? at[k] >> 12 & (MACHINE - 1) : at[k] >> 12 & 7;
}
