// What suites.c and suites.cu have in common: sizes, structures, tables, data, and the small functions that loops call.
#include <math.h>

#ifdef __CUDACC__
#define TABLE __device__ constexpr
#define FUNCTION __device__ inline
#define ANYWHERE __host__ __device__ inline
#else
#define TABLE static const
#define FUNCTION _Pragma("acc routine seq") static inline
#define ANYWHERE FUNCTION
#endif

enum {
    N = 1 << 25,           // elements of vectors of float or int, half as many of double
    PLANE = 4096,          // edge of matrices of float
    CHIP = 512,            // edge of a layer of a chip
    LAYERS = 64,           // of it
    PANEL = 16,            // columns that a step of a factorisation has done
    STEP = 32,             // of an elimination
    PAIRS = 1 << 13,       // of sequences
    LETTERS = 128,         // of each
    POINTS = 1 << 19,      // that belong to clusters
    FEATURES = 34,         // of each
    CLUSTERS = 5,
    INPUTS = 1 << 13,      // of a layer of a network
    HIDDEN = 1 << 10,      // its neurons
    BOXES = 8,             // on each edge of a cube
    IN_BOX = 100,          // particles in each
    ELEMENTS = 1 << 19,    // of an unstructured mesh
    FACES = 4,             // of each
    PARTICLES = 1 << 18,   // of a filter
    VIDEO = 512,           // edge of the picture that it follows
    RADIUS = 5,            // of the disc that it looks at
    MOST_OF_DISC = 128,    // pixels of it, at most
    NEURONS = 1 << 18,
    MOMENTS = 40,          // that each is followed
    GRID = 128,            // edge of grids of 5 values
    BLOCKS = 1 << 17,      // matrices of 5 by 5
    UNKNOWNS = 1 << 22,    // of conjugate gradients
    RHO_AT = 97 * 90000,   // where the square of their residual is put
    FINE = 256,            // edge of a fine grid, and half of it of a coarse one
    WAVES = 256,           // edge of a spectrum, and half of it in depth
    SEEDS = 1 << 17,
    DEVIATES = 64,         // pairs of each
    VOXELS = 1 << 16,
    SAMPLES = 1024,        // of the space of frequencies
    LATTICE = 128,         // edge of the lattice of a fluid, and half of it in depth
    DIRECTIONS = 19,
    OF_CELL = 20,          // values of a cell where they are side by side
    AIR = 256,             // columns of air in each direction
    LEVELS = 128,          // of each
    HEXES = 64,            // on each edge of a cube
    ALL_HEXES = HEXES * HEXES * HEXES,
    CORNERS = (HEXES + 1) * (HEXES + 1) * (HEXES + 1),
    STIFF = 1 << 16,       // elements whose matrices are wanted
    STATES = 1 << 21,      // of a material
    CLOVER = 1280,         // edge of a field of a compressible fluid
    CONDUCTOR = 2048,      // edge of a field of heat
    LOOKUPS = 1 << 18,
    NUCLIDES = 64,
    ENERGIES = 1024,       // in the table of each
    RESONANCES = 1 << 20,  // lookups of these
    WINDOWS = 128,         // of energies, for each nuclide
    POLES = 4,             // in each
    GROUPS = 256,          // of energies, in transport
    ANGLES = 128,
    SWEPT = 8,             // edge of what is swept
    CHARGES = 4096,        // pairs of basis functions
    BANDS = 64,
    VECTORS = 64,          // of a lattice, in the one direction and the other
    OTHERS = 2048,
    IMAGES = 16,
    MAPS = 64,             // of each
    PICTURE = 112,         // edge of a map
    BATCH = 32,
    GROUPED = 32,          // groups of channels
    CHANNELS = 4,          // of each
    SMALL = 56 * 56,       // pixels of a channel
    TOKENS = 1 << 14,
    WIDTH = 768,           // of each
    WORDS = 1 << 17,
    VOCABULARY = 1 << 15,
    EMBEDDED = 128,
    EXAMPLES = 1 << 15,
    CLASSES = 512,
    RUNS_OF = 64,          // bytes whose runs are counted together
    LINES = 1 << 18,
    SLOTS = 1 << 21,       // of a table of keys, half of them taken
    PROBES = 1 << 22,
    PRINTS = 2048,         // of molecules
    OF_PRINT = 32,         // words of bits
    ROWS = 4096,
    COLUMNS = 4096,
    COMPLEX = 1 << 23,
    ORDER = 5760,          // rows of a packed triangle
    BANDED = 1 << 17,      // rows of a band matrix
    REACH = 32,            // of its bands
    SIDES = 8              // vectors that it is multiplied by
};

struct particle {
    double v, x, y, z;
};

struct complex {
    double re, im;
};

struct frequency {
    float x, y, z, magnitude;
};

struct point_of_nuclide {
    double energy, total, elastic, absorbed, fission, nu;
};

struct pole {
    struct complex at, total, absorbed;
};

struct charge {
    double exponent, x, y, z, factor;
};

struct slot {
    int key, value;
};

TABLE int ex[DIRECTIONS] = {0, 1, -1, 0, 0, 0, 0, 1, -1, 1, -1, 1, -1, 1, -1, 0, 0, 0, 0};
TABLE int ey[DIRECTIONS] = {0, 0, 0, 1, -1, 0, 0, 1, 1, -1, -1, 0, 0, 0, 0, 1, -1, 1, -1};
TABLE int ez[DIRECTIONS] = {0, 0, 0, 0, 0, 1, -1, 0, 0, 0, 0, 1, 1, -1, -1, 1, 1, -1, -1};
TABLE int opposite[DIRECTIONS] = {0, 2, 1, 4, 3, 6, 5, 10, 9, 8, 7, 14, 13, 12, 11, 18, 17, 16, 15};
TABLE float share[DIRECTIONS] = {1.0f / 3,  1.0f / 18, 1.0f / 18, 1.0f / 18, 1.0f / 18, 1.0f / 18, 1.0f / 18,
                                 1.0f / 36, 1.0f / 36, 1.0f / 36, 1.0f / 36, 1.0f / 36, 1.0f / 36, 1.0f / 36,
                                 1.0f / 36, 1.0f / 36, 1.0f / 36, 1.0f / 36, 1.0f / 36};
TABLE double hourglass_mode[4][8] = {{1, 1, -1, -1, -1, -1, 1, 1},
                                     {1, -1, -1, 1, -1, 1, 1, -1},
                                     {1, -1, 1, -1, 1, -1, 1, -1},
                                     {-1, 1, -1, 1, 1, -1, 1, -1}};
TABLE double corner[8][3] = {{-1, -1, -1}, {1, -1, -1}, {1, 1, -1}, {-1, 1, -1}, {-1, -1, 1}, {1, -1, 1}, {1, 1, 1}, {-1, 1, 1}};
TABLE int zigzag[64] = {0,  1,  8,  16, 9,  2,  3,  10, 17, 24, 32, 25, 18, 11, 4,  5,  12, 19, 26, 33, 40, 48,
                        41, 34, 27, 20, 13, 6,  7,  14, 21, 28, 35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23,
                        30, 37, 44, 51, 58, 59, 52, 45, 38, 31, 39, 46, 53, 60, 61, 54, 47, 55, 62, 63};

FUNCTION struct complex times(struct complex a, struct complex b)
{
    struct complex c = {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
    return c;
}

FUNCTION struct complex over(struct complex a, struct complex b)
{
    double by = 1 / (b.re * b.re + b.im * b.im);
    struct complex c = {(a.re * b.re + a.im * b.im) * by, (a.im * b.re - a.re * b.im) * by};
    return c;
}

FUNCTION float x_by_expm1(float x)
{
    return fabsf(x) < 1e-4f ? 1 - 0.5f * x : x / expm1f(x);
}

/// What flows through a face: of a state (density, momentum in three directions, energy) along a normal.
FUNCTION void add_flux(const float *state, const float *normal, float half, float *flux)
{
    float by = 1 / state[0], square = state[1] * state[1] + state[2] * state[2] + state[3] * state[3];
    float pressure = 0.4f * (state[4] - 0.5f * square * by);
    float along = (state[1] * normal[0] + state[2] * normal[1] + state[3] * normal[2]) * by;
    flux[0] += half * state[0] * along;
    for (int d = 0; d < 3; d++)
        flux[d + 1] += half * (state[d + 1] * along + pressure * normal[d]);
    flux[4] += half * (state[4] + pressure) * along;
}

/// What is kept of an element, each value `ELEMENTS` from the next.
FUNCTION void load_state(const float *values, int i, float *state)
{
    state[0] = values[i] + 0.5f;
    for (int d = 1; d < 4; d++)
        state[d] = 0.5f * values[d * ELEMENTS + i] - 0.2f;
    state[4] = values[4 * ELEMENTS + i] + 2;
}

FUNCTION float speed_of(const float *state)
{
    float by = 1 / state[0], square = (state[1] * state[1] + state[2] * state[2] + state[3] * state[3]) * by * by;
    float pressure = 0.4f * (state[4] - 0.5f * square * state[0]);
    return sqrtf(square) + sqrtf(1.4f * pressure * by);
}

/// The next number of a sequence: exact products of 46 bits by doubles.
ANYWHERE double draw(double *x, double a)
{
    double upper = (double)(int)(0x1p-23 * a), lower = a - 0x1p23 * upper;
    double high = (double)(int)(0x1p-23 * *x), low = *x - 0x1p23 * high;
    double mixed = upper * low + lower * high;
    double left = mixed - 0x1p23 * (double)(long)(0x1p-23 * mixed);
    double sum = 0x1p23 * left + lower * low;
    *x = sum - 0x1p46 * (double)(long)(0x1p-46 * sum);
    return 0x1p-46 * *x;
}

/// Populations of a cell of a fluid after its particles have met.
FUNCTION void collide(float *f)
{
    float density = 0, u = 0, v = 0, w = 0;
    for (int q = 0; q < DIRECTIONS; q++) {
        density += f[q];
        u += ex[q] * f[q];
        v += ey[q] * f[q];
        w += ez[q] * f[q];
    }
    float by = 1 / density;
    u *= by;
    v *= by;
    w *= by;
    float square = 1.5f * (u * u + v * v + w * w);
    for (int q = 0; q < DIRECTIONS; q++) {
        float along = 3 * (ex[q] * u + ey[q] * v + ez[q] * w);
        f[q] += 1.2f * (share[q] * density * (1 + along + 0.5f * along * along - square) - f[q]);
    }
}

/// What the wind carries through a face, of the order that bits of the face say.
FUNCTION double carried(const double *s, const double *wind, const int *flag, int at, int by)
{
    double u = wind[at] - 0.3;
    int bits = flag[at] >> 5;
    double first = (bits & 1) * 0.5, third = (bits >> 1 & 1) / 12.0, fifth = (bits >> 2 & 1) / 60.0;
    double near = s[at + by] + s[at], middle = s[at + 2 * by] + s[at - by], far = s[at + 3 * by] + s[at - 2 * by];
    double mean = (37 * fifth + 7 * third + first) * near - (8 * fifth + third) * middle + fifth * far;
    double slope = (10 * fifth + 3 * third + first) * (s[at + by] - s[at]) - (5 * fifth + third) * (s[at + 2 * by] - s[at - by]) +
                   fifth * (s[at + 3 * by] - s[at - 2 * by]);
    return u * mean - fabs(u) * slope;
}

FUNCTION double pressure_of(double energy, double compression, double volume)
{
    double p = 2.0 / 3 * (compression + 1) * energy;
    if (fabs(p) < 1e-7)
        p = 0;
    if (volume >= 1.45)
        p = 0;
    if (p < 0)
        p = 0;
    return p;
}

/// The speed of sound, which is not less than a small one.
FUNCTION double sound_of(double energy, double pressure, double compression, double volume)
{
    double square = (2.0 / 3 * energy + volume * volume * 2.0 / 3 * (compression + 1) * pressure) / 1.3;
    return square <= 0.1111111e-36 ? 0.3333333e-18 : sqrt(square);
}

/// A rational approximation of what a line is after the motion of nuclei has widened it.
FUNCTION struct complex widened(struct complex z)
{
    struct complex t = {z.im, -z.re};
    if (z.re * z.re + z.im * z.im >= 36) {
        struct complex one = {0.5641896, 0};
        return over(one, t);
    }
    const double above[7] = {122.607931777104326, 214.382388694706425, 181.928533092181549, 93.155580458138441,
                             30.180142196210589,  5.912626209773153,   0.564189583562615};
    const double below[8] = {122.607931773875350, 352.730625110963558, 457.334478783897737, 348.703917719495792,
                             170.354001821091472, 53.992906912940207,  10.479857114260399,  1};
    struct complex p = {above[6], 0}, q = {below[7], 0};
    for (int k = 5; k >= 0; k--) {
        p = times(p, t);
        p.re += above[k];
    }
    for (int k = 6; k >= 0; k--) {
        q = times(q, t);
        q.re += below[k];
    }
    return over(p, q);
}

/// The Boys function of order 0.
FUNCTION double boys(double t)
{
    if (t < 1e-6)
        return 1 - t / 3;
    double root = sqrt(t);
    return 0.886226925452758 * erf(root) / root;
}

/// The gradients of the eight shape functions of a hexahedron at a point of it, and the volume there.
FUNCTION double gradients(double (*where)[3], double r, double s, double t, double (*gradient)[3])
{
    double local[8][3], j[3][3], inverse[3][3];
    for (int k = 0; k < 8; k++) {
        double p = 1 + corner[k][0] * r, q = 1 + corner[k][1] * s, o = 1 + corner[k][2] * t;
        local[k][0] = 0.125 * corner[k][0] * q * o;
        local[k][1] = 0.125 * corner[k][1] * p * o;
        local[k][2] = 0.125 * corner[k][2] * p * q;
    }
    for (int d = 0; d < 3; d++)
        for (int e = 0; e < 3; e++) {
            j[d][e] = 0;
            for (int k = 0; k < 8; k++)
                j[d][e] += local[k][d] * where[k][e];
        }
    double volume = 0;
    for (int d = 0; d < 3; d++)
        for (int e = 0; e < 3; e++) {
            int d1 = (d + 1) % 3, d2 = (d + 2) % 3, e1 = (e + 1) % 3, e2 = (e + 2) % 3;
            inverse[e][d] = j[d1][e1] * j[d2][e2] - j[d1][e2] * j[d2][e1];
        }
    for (int e = 0; e < 3; e++)
        volume += j[0][e] * inverse[e][0];
    for (int k = 0; k < 8; k++)
        for (int e = 0; e < 3; e++)
            gradient[k][e] = (inverse[e][0] * local[k][0] + inverse[e][1] * local[k][1] + inverse[e][2] * local[k][2]) / volume;
    return volume;
}

/// Eight values back from their frequencies: those at `v`, `by` apart.
FUNCTION void turn_back(int *v, int by, int shift)
{
    int half = 1 << (shift - 1), x0 = v[0], x1 = v[by], x2 = v[2 * by], x3 = v[3 * by];
    int x4 = v[4 * by], x5 = v[5 * by], x6 = v[6 * by], x7 = v[7 * by];
    int e0 = (x0 + x4) * 724 + half, e1 = (x0 - x4) * 724 + half, e2 = x2 * 946 + x6 * 392, e3 = x2 * 392 - x6 * 946;
    int o0 = x1 * 1004 + x3 * 851 + x5 * 569 + x7 * 200, o1 = x1 * 851 - x3 * 200 - x5 * 1004 - x7 * 569;
    int o2 = x1 * 569 - x3 * 1004 + x5 * 200 + x7 * 851, o3 = x1 * 200 - x3 * 569 + x5 * 851 - x7 * 1004;
    v[0] = (e0 + e2 + o0) >> shift;
    v[by] = (e1 + e3 + o1) >> shift;
    v[2 * by] = (e1 - e3 + o2) >> shift;
    v[3 * by] = (e0 - e2 + o3) >> shift;
    v[4 * by] = (e0 - e2 - o3) >> shift;
    v[5 * by] = (e1 - e3 - o2) >> shift;
    v[6 * by] = (e1 + e3 - o1) >> shift;
    v[7 * by] = (e0 + e2 - o0) >> shift;
}

FUNCTION int byte_of(int x)
{
    return x < 0 ? 0 : x > 255 ? 255 : x;
}

ANYWHERE unsigned slot_of(int key)
{
    unsigned x = (unsigned)key * 2654435761u;
    x ^= x >> 15;
    x *= 2246822519u;
    return (x ^ x >> 13) % SLOTS;
}

static inline void fill_numbers(float *a, float *b, int *at, double *wide)
{
    unsigned state = 1;
    for (int i = 0; i < N; i++) {
        state = state * 1664525u + 1013904223u;
        a[i] = (state >> 8) * 0x1p-24f;
        b[i] = ((state ^ state >> 16) * 2654435761u >> 8) * 0x1p-24f;
        at[i] = state >> 4;
        wide[i / 2] = a[i];
    }
}

/// The neighbours of elements of a mesh: most are near, some are walls (-1), some far away (-2).
static inline void fill_neighbours(const int *at, int *neighbours)
{
    for (int i = 0; i < FACES * ELEMENTS; i++) {
        int kind = at[i] >> 8 & 31;
        neighbours[i] = kind == 0 ? -1 : kind == 1 ? -2 : (i + (at[i] >> 13) % 512) % ELEMENTS;
    }
}

/// The offsets of the pixels of a disc: returns how many.
static inline int fill_disc(int *disc)
{
    int count = 0;
    for (int i = -RADIUS; i <= RADIUS; i++)
        for (int j = -RADIUS; j <= RADIUS; j++)
            if (i * i + j * j < RADIUS * RADIUS) {
                disc[2 * count] = i;
                disc[2 * count + 1] = j;
                count++;
            }
    return count;
}

/// A cube of hexahedra: the nodes of each, where they are, and the corners (8 * element + corner) that meet in a node.
static inline void fill_mesh(const float *a, int *nodes, double *where, int *start, int *corners)
{
    const int edge = HEXES + 1;
    for (int e = 0; e < ALL_HEXES; e++) {
        int i = e / (HEXES * HEXES), j = e / HEXES % HEXES, k = e % HEXES, first = (i * edge + j) * edge + k;
        int at[8] = {0, 1, edge + 1, edge, edge * edge, edge * edge + 1, edge * edge + edge + 1, edge * edge + edge};
        for (int c = 0; c < 8; c++)
            nodes[8 * e + c] = first + at[c];
    }
    for (int p = 0; p < CORNERS; p++) {
        where[3 * p] = p % edge + 0.3 * a[3 * p];
        where[3 * p + 1] = p / edge % edge + 0.3 * a[3 * p + 1];
        where[3 * p + 2] = p / (edge * edge) + 0.3 * a[3 * p + 2];
        start[p + 1] = 0;
    }
    start[0] = 0;
    for (int c = 0; c < 8 * ALL_HEXES; c++)
        start[nodes[c] + 1]++;
    for (int p = 0; p < CORNERS; p++)
        start[p + 1] += start[p];
    for (int c = 0; c < 8 * ALL_HEXES; c++)
        corners[start[nodes[c]]++] = c;
    for (int p = CORNERS; p > 0; p--)
        start[p] = start[p - 1];
    start[0] = 0;
}

/// Tables of nuclides, sorted by energy.
static inline void fill_nuclides(const float *a, struct point_of_nuclide *points)
{
    for (int i = 0; i < NUCLIDES * ENERGIES; i++) {
        struct point_of_nuclide p = {(i % ENERGIES + a[6 * i]) / ENERGIES, a[6 * i + 1], a[6 * i + 2],
                                     a[6 * i + 3],                         a[6 * i + 4], a[6 * i + 5]};
        points[i] = p;
    }
}

/// A table of keys in which one looks from the slot of a key on until one finds it or an empty slot.
static inline void fill_slots(const int *at, struct slot *slots)
{
    for (int i = 0; i < SLOTS; i++)
        slots[i].key = slots[i].value = -1;
    for (int i = 0; i < SLOTS / 2; i++) {
        unsigned s = slot_of(at[i]);
        while (slots[s].key != -1 && slots[s].key != at[i])
            s = (s + 1) % SLOTS;
        slots[s].key = at[i];
        slots[s].value = i & 1023;
    }
}

/// The factor that goes as many numbers ahead as a seed has.
static inline double factor_of_seeds(void)
{
    double factor = 1;
    for (int k = 0; k < 2 * DEVIATES; k++)
        draw(&factor, 1220703125);
    return factor;
}
