// What assays.c and assays.cu have in common: sizes, structures, data, and small functions that loops call.
#include <math.h>

#ifdef __CUDACC__
#define FUNCTION __device__ inline
#else
#define FUNCTION _Pragma("acc routine seq") static inline
#endif

enum {
    N = 1 << 25,        // elements of vectors of float or int, half as many of double
    COLUMNS = 1 << 16,  // of air
    LAYERS = 64,
    SOUNDINGS = 4096,   // columns of air that light of many wavelengths goes through
    PRESSURES = 59,     // of a table of absorption
    TEMPERATURES = 14,
    PARTS = 16,         // of its wavelengths
    BODIES = 1 << 16,
    HEIGHT = 12,        // of the tree of cells around them
    CELLS = (1 << (HEIGHT + 1)) - 1,
    SHELLS = 2048,      // of electrons, three primitive functions each
    PRIMITIVES = 3,
    ORBITALS = 512,
    ATOMS = 64,
    BLOCKS = 1 << 18,   // of 64 coefficients
    SQUARE = 4096,      // edge of matrices and pictures
    FRAMES = 4096,      // of sound
    OF_FRAME = 256,
    TONES = 64,
    TAPS = 24,
    UP = 147,
    DOWN = 160,
    LAGS = 32,
    SPECTRA = 1 << 15,
    BINS = 512,
    FILTERS = 64,
    ROWS = 1 << 20,     // nodes of a graph, 4 to 19 edges each
    RECORDS = 1 << 17,
    OF_RECORD = 256,
    FIELDS = 1 << 20,
    OF_FIELD = 12,
    OPTIONS = 1 << 20,
    SCENARIOS = 2048,
    POSITIONS = 4096,
    FACTORS = 128,
    IMAGES = 8,
    CHANNELS = 32,
    EDGE = 56,
    TOKENS = 1 << 14,
    HEADS = 16,
    HALF = 32,          // of the numbers of a head
    PLACES = 2048,
    POOLS = 64,
    POOLED = 255,
    WORDS = 1024,       // rows and columns of a product of bytes
    PARTICLES = 1 << 17,
    NEIGHBOURS = 64,
    TURBULENT = 160,
    EARTH = 256,        // edge of layers of rock, half as many layers
    LINKS = 19,
    FIVE = 5,
    STEPS = 32,
    LEUCOCYTES = 512,
    CIRCLES = 7,
    OF_CIRCLE = 32,
    POINTS = 1 << 17,
    TRAITS = 32,
    CENTRES = 256,
    UPDATED = 1024,
    DEEP = 512,
    TALL = 8192,
    CITIES = 1024,
    THROUGH = 16,
    ELEMENTS = 1 << 20,
    GAS = 1 << 21,
    CLOVER = 2046,
    PIXELS = 1 << 24,
    CODES = 1 << 22,
    SPECTRUM = 1 << 20,
    BATCH = 8,
    MATRICES = 256,
    MATRIX = 256,
    QUADS = 1 << 22,
    PLANE = 2048,
    PAIRS = 1 << 21,
    WIDE = 512,
    RAYS = 1 << 16,
    BOXES = 256,
    TURNED = 1 << 22
};

/// A cell of a tree: what is in it, and the next cell that is not in it.
struct cell {
    float x, y, z, mass, size;
    int next;
};

struct place {
    double x, y, z, charge;
};

struct pixel {
    unsigned char r, g, b, a;
};

struct number {
    float re, im;
};

struct vector {
    float x, y, z;
};

struct turn {
    float w, x, y, z;
};

struct ray {
    struct vector from, inverse;
};

struct bounds {
    struct vector low, high;
};

FUNCTION struct vector cross(struct vector p, struct vector q)
{
    struct vector r = {p.y * q.z - p.z * q.y, p.z * q.x - p.x * q.z, p.x * q.y - p.y * q.x};
    return r;
}

FUNCTION struct vector plus(struct vector p, struct vector q, float by)
{
    struct vector r = {p.x + by * q.x, p.y + by * q.y, p.z + by * q.z};
    return r;
}

/// A vector turned by a quaternion.
FUNCTION struct vector turned_by(struct turn q, struct vector v)
{
    struct vector axis = {q.x, q.y, q.z}, t = cross(axis, v);
    return plus(plus(v, t, 2 * q.w), cross(axis, t), 2);
}

/// Where a ray enters a box; -1 if it does not.
FUNCTION float enters(struct ray ray, struct bounds box)
{
    float x0 = (box.low.x - ray.from.x) * ray.inverse.x, x1 = (box.high.x - ray.from.x) * ray.inverse.x;
    float y0 = (box.low.y - ray.from.y) * ray.inverse.y, y1 = (box.high.y - ray.from.y) * ray.inverse.y;
    float z0 = (box.low.z - ray.from.z) * ray.inverse.z, z1 = (box.high.z - ray.from.z) * ray.inverse.z;
    float in = fmaxf(fmaxf(fminf(x0, x1), fminf(y0, y1)), fminf(z0, z1));
    float out = fminf(fminf(fmaxf(x0, x1), fmaxf(y0, y1)), fmaxf(z0, z1));
    return out >= in && out > 0 ? fmaxf(in, 0) : -1;
}

FUNCTION unsigned scattered(unsigned x)
{
    x = (x ^ x >> 16) * 0x7feb352du;
    x = (x ^ x >> 15) * 0x846ca68bu;
    return x ^ x >> 16;
}

/// 21 bits, two zeros between each and the next.
FUNCTION unsigned long long spread(unsigned long long x)
{
    x &= 0x1fffff;
    x = (x | x << 32) & 0x1f00000000ffff;
    x = (x | x << 16) & 0x1f0000ff0000ff;
    x = (x | x << 8) & 0x100f00f00f00f00f;
    x = (x | x << 4) & 0x10c30c30c30c30c3;
    return (x | x << 2) & 0x1249249249249249;
}

FUNCTION unsigned reversed(unsigned x, int bits)
{
    x = (x & 0x55555555) << 1 | (x >> 1 & 0x55555555);
    x = (x & 0x33333333) << 2 | (x >> 2 & 0x33333333);
    x = (x & 0x0f0f0f0f) << 4 | (x >> 4 & 0x0f0f0f0f);
    x = (x & 0x00ff00ff) << 8 | (x >> 8 & 0x00ff00ff);
    return (x << 16 | x >> 16) >> (32 - bits);
}

FUNCTION unsigned char mixed_bytes(unsigned char p, unsigned char q, unsigned part)
{
    unsigned sum = p * part + q * (255 - part) + 128;
    return (sum + (sum >> 8)) >> 8;
}

FUNCTION float gelu(float x) { return 0.5f * x * (1 + tanhf(0.7978845608f * (x + 0.044715f * x * x * x))); }

/// What is left of a slope that its neighbours allow.
FUNCTION double limited_slope(double before, double here, double after)
{
    double by = 1 / (here + 1e-36), low = before * by, high = after * by, phi = 0.5 * (low + high);
    low *= 2;
    high *= 2;
    phi = low < phi ? low : phi;
    phi = high < phi ? high : phi;
    return phi < 0 ? 0 : phi > 1 ? 1 : phi;
}

/// The pressure of a gas that was compressed.
FUNCTION double pressure_of(double energy, double compression, double volume)
{
    double p = 2.0 / 3 * (compression + 1) * energy;
    if (fabs(p) < 1e-7)
        p = 0;
    if (volume >= 1.9)
        p = 0;
    return p < 0 ? 0 : p;
}

/// Where the gas of a direction goes to.
FUNCTION int along_x(int q)
{
    const int x[LINKS] = {0, 1, -1, 0, 0, 0, 0, 1, -1, 1, -1, 1, -1, 1, -1, 0, 0, 0, 0};
    return x[q];
}

FUNCTION int along_y(int q)
{
    const int y[LINKS] = {0, 0, 0, 1, -1, 0, 0, 1, -1, -1, 1, 0, 0, 0, 0, 1, -1, 1, -1};
    return y[q];
}

FUNCTION int along_z(int q)
{
    const int z[LINKS] = {0, 0, 0, 0, 0, 1, -1, 0, 0, 0, 0, 1, -1, -1, 1, 1, -1, -1, 1};
    return z[q];
}

static inline void fill_numbers(float *a, float *b, int *at, int *column, double *wide)
{
    unsigned state = 7;
    for (int i = 0; i < N; i++) {
        state = state * 1664525u + 1013904223u;
        unsigned other = (state ^ state >> 15) * 2246822519u;
        a[i] = (state >> 8) * 0x1p-24f;
        b[i] = (other >> 8) * 0x1p-24f;
        at[i] = state >> 4;
        column[i] = other >> 12;
        wide[i / 2] = b[i];
    }
}

/// The first edges of nodes.
static inline void fill_rows(const int *at, int *rows)
{
    rows[0] = 0;
    for (int i = 0; i < ROWS; i++)
        rows[i + 1] = rows[i] + 4 + (at[i] >> 14 & 15);
}

/// A forest: nodes that have parents before them, and roots.
static inline void fill_parents(const int *at, int *parent)
{
    for (int i = 0; i < ROWS; i++)
        parent[i] = i < 1024 ? i : at[i] % i;
}

/// A cell and those in it, each of half its size along one of three axes in turn; returns the next free cell.
static inline int fill_cells(struct cell *cells, int first, int depth, float x, float y, float z, float size)
{
    int next = first + 1;
    if (depth < HEIGHT) {
        float by = 0.25f * size, dx = depth % 3 == 0 ? by : 0, dy = depth % 3 == 1 ? by : 0, dz = depth % 3 == 2 ? by : 0;
        float inside = depth % 3 == 2 ? size / 2 : size;
        next = fill_cells(cells, next, depth + 1, x - dx, y - dy, z - dz, inside);
        next = fill_cells(cells, next, depth + 1, x + dx, y + dy, z + dz, inside);
    }
    cells[first].x = x;
    cells[first].y = y;
    cells[first].z = z;
    cells[first].mass = 1.0f / (1 << depth);
    cells[first].size = size;
    cells[first].next = next;
    return next;
}

/// The order in which the 64 coefficients of a block are written.
static inline void fill_order(int *order)
{
    for (int diagonal = 0, k = 0; diagonal < 15; diagonal++)
        for (int t = 0; t <= diagonal; t++) {
            int row = diagonal % 2 ? t : diagonal - t, at = diagonal - row;
            if (row < 8 && at < 8)
                order[k++] = 8 * row + at;
        }
}

/// Where the triangles of a bank of filters begin.
static inline void fill_filters(int *first)
{
    for (int f = 0; f < FILTERS + 2; f++)
        first[f] = f + f * f * (BINS - FILTERS - 3) / ((FILTERS + 1) * (FILTERS + 1));
}

static inline void fill_checks(unsigned *checks)
{
    for (unsigned k = 0; k < 256; k++) {
        unsigned x = k;
        for (int bit = 0; bit < 8; bit++)
            x = x & 1 ? x >> 1 ^ 0xedb88320u : x >> 1;
        checks[k] = x;
    }
}

/// Where gas comes from, for each direction, in a list of cells.
static inline void fill_links(int *links)
{
    for (int q = 0; q < LINKS; q++)
        for (int i = 0; i < ROWS; i++)
            links[q * ROWS + i] = (i + (q - 9) * (q % 3 == 0 ? 1 : q % 3 == 1 ? 100 : 10000) + ROWS) % ROWS;
}

/// Points of circles, and their directions.
static inline void fill_circles(int *dx, int *dy, float *directions)
{
    for (int k = 0; k < OF_CIRCLE; k++) {
        float angle = 6.2831853f * k / OF_CIRCLE;
        directions[k] = cosf(angle);
        directions[OF_CIRCLE + k] = sinf(angle);
        for (int r = 0; r < CIRCLES; r++) {
            dx[r * OF_CIRCLE + k] = (int)floorf((6 + 2 * r) * cosf(angle) + 0.5f);
            dy[r * OF_CIRCLE + k] = (int)floorf((6 + 2 * r) * sinf(angle) + 0.5f);
        }
    }
}

/// Neighbours of particles near in memory, and of elements.
static inline void fill_neighbours(const int *at, int *neighbours)
{
    for (int j = 0; j < NEIGHBOURS; j++)
        for (int i = 0; i < PARTICLES; i++)
            neighbours[j * PARTICLES + i] = (i + 1 + at[j * PARTICLES + i] % 1023) % PARTICLES;
}

static inline void fill_elements(const int *at, int *beside, int *edges)
{
    for (int i = 0; i < ELEMENTS; i++) {
        const int by[6] = {1, -1, 128, -128, 16384, -16384};
        for (int side = 0; side < 6; side++)
            beside[side * ELEMENTS + i] = (i + by[side] + ELEMENTS) % ELEMENTS;
        edges[i] = at[i] % 16 == 0 ? at[i] >> 8 & 63 : 0;
    }
}

/// Rays and boxes in a room of edge 1.
static inline void fill_rays(const float *a, struct ray *rays, struct bounds *boxes)
{
    for (int i = 0; i < RAYS; i++) {
        struct vector from = {a[6 * i], a[6 * i + 1], -1};
        struct vector inverse = {1 / (a[6 * i + 3] - 0.5f + 1e-5f), 1 / (a[6 * i + 4] - 0.5f + 1e-5f), 1 / (a[6 * i + 5] + 0.5f)};
        rays[i].from = from;
        rays[i].inverse = inverse;
    }
    for (int k = 0; k < BOXES; k++) {
        struct vector low = {a[7 * k], a[7 * k + 1], a[7 * k + 2]};
        struct vector high = {low.x + 0.1f * a[7 * k + 3], low.y + 0.1f * a[7 * k + 4], low.z + 0.1f * a[7 * k + 5]};
        boxes[k].low = low;
        boxes[k].high = high;
    }
}
