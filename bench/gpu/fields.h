// What fields.c and fields.cu have in common: sizes, structures, data, and the small functions that loops call.
#include <math.h>

#ifdef __CUDACC__
#define FUNCTION __device__ inline
#else
#define FUNCTION _Pragma("acc routine seq") static inline
#endif

enum {
    N = 1 << 25,            // elements of vectors of float or int, half as many of double
    TIMES = 16,             // of a lattice of quarks, and its depth
    ACROSS = 32,            // its other edges
    SITES = TIMES * TIMES * ACROSS * ACROSS,
    MAGNET = 128,           // edge of a lattice of spins, twice that in one direction
    SPINS = 2 * MAGNET * MAGNET * MAGNET,
    TORUS = 8192,           // edge of a checkerboard of spins
    QUBIT = 12,             // that a gate turns
    AMPLITUDES = 1 << 23,   // of a quantum state in double
    LOW = 3,                // the two that another one turns
    HIGH = 17,
    PAIRED = 1 << 24,       // amplitudes of a state in float
    LEVELS = 64,            // of a column of air or water
    EAST = 256,             // columns in each direction, or twice as many
    COLUMNS = EAST * EAST,
    CLOUDS = 2 * COLUMNS,
    BASIN = 2 * COLUMNS,
    DEEP = 128,             // depth of a box of tracers
    PICTURE = 4096,         // edge of pictures and of fields of two dimensions
    CELLS = 32,             // on each edge of a cube of particles
    ALL_CELLS = CELLS * CELLS * CELLS,
    AT_MOST = 20,           // particles in each
    BENDS = 1 << 20,        // angles between bonds
    ATOMS = 1 << 18,
    LINES = 1 << 15,        // systems of equations
    OF_LINE = 128,
    NODES = 8,              // of a spectral element in each direction
    CUBED = NODES * NODES * NODES,
    SPECTRAL = 4096,        // such elements
    MESH = 1024,            // edge of a mesh of triangles
    TRIANGLES = 2 * MESH * MESH,
    CHAINS = 2048,          // of observations
    STATES = 64,            // of a hidden model
    MOMENTS = 64,
    SLICE = 32,             // rows of a slice of a sparse matrix
    ROWS = 1 << 20,
    BLOCK = 4,              // edge of blocks of a matrix
    BLOCK_ROWS = 1 << 16,
    ENTRIES = 1 << 23,
    FRIENDS = 16,           // of each node of a graph
    PEOPLE = 1 << 17,
    STRANGERS = 64,         // nodes behind them, which are neighbours only
    STEREO = 1024,          // edge of two pictures of the same
    SHIFTS = 32,            // that are tried
    LINES_OF = 180,         // directions of lines that go through points
    DISTANCES = 1500,       // of such lines from the corner
    EDGES = 1 << 16,        // points that may be on lines
    SCAN = 1024,            // edge of a picture of what is inside
    DETECTORS = 2048,
    ANTENNAS = 1 << 16,     // signals, side by side
    SAMPLES = 256,          // of each
    TONES = 4,              // that are looked for
    SIGNAL = 1 << 23,       // complex numbers
    DONE = 256,             // length of the transforms that are there already
    ROCK = 128,             // edge of a block that waves go through
    TOKENS = 1 << 14,
    WIDTH = 1024,           // of each
    PRODUCTS = 1024,        // edge of matrices that are multiplied
    SOLID = 64,             // edge of a picture of three dimensions
    MAPS = 8,
    OPTIONS = 4096,
    STEPS = 256,            // of the tree of each
    DRAWS = 1 << 22,        // fours of random numbers
    STRINGS = ROWS,
    PACKETS = 1 << 16,
    OF_PACKET = 1024,       // bytes
    BASES = 1 << 23,        // of a genome
    LETTERS = 12,           // of a word of it
    WINDOW = 10,            // words of which the least is wanted
    KEYS = 1 << 21,
    HASHES = 4,             // of each
    TENSORS = 1 << 22,      // symmetric matrices of 3 by 3
    LANDMARKS = 2048,
    QUERIES = 1 << 16,
    NEAREST = 8,
    MERGED = 1 << 22,       // elements of one of two sorted arrays
    QUEENS = 14,
    PLACED = QUEENS * QUEENS * QUEENS * QUEENS,
    EDGE = 64,              // of an array of four dimensions, and half of its last one
    MESH_NODES = (MESH + 1) * (MESH + 1),
    WORK = 1 << 22,         // doubles that a loop needs for itself
    KEPT_AT = 32            // where the list starts whose length is in front of it
};

struct number {
    float re, im;
};

struct amplitude {
    double re, im;
};

struct gate {
    struct amplitude m[2][2];
};

/// A link of a lattice of quarks.
struct link {
    struct number e[3][3];
};

struct colours {
    struct number c[3];
};

struct particle {
    float x, y, z, mass;
};

struct triple {
    int i, j, k;
};

FUNCTION int next_to(int x, int by, int n)
{
    x += by;
    return x < 0 ? x + n : x >= n ? x - n : x;
}

/// The site of a lattice that is `by` sites further in a direction.
FUNCTION int beside(int t, int z, int y, int x, int direction, int by)
{
    if (direction == 0)
        x = next_to(x, by, ACROSS);
    else if (direction == 1)
        y = next_to(y, by, ACROSS);
    else if (direction == 2)
        z = next_to(z, by, TIMES);
    else
        t = next_to(t, by, TIMES);
    return ((t * TIMES + z) * ACROSS + y) * ACROSS + x;
}

FUNCTION void add_product(const struct link *u, const struct colours *v, struct colours *sum)
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            sum->c[i].re += u->e[i][j].re * v->c[j].re - u->e[i][j].im * v->c[j].im;
            sum->c[i].im += u->e[i][j].re * v->c[j].im + u->e[i][j].im * v->c[j].re;
        }
}

FUNCTION void add_adjoint_product(const struct link *u, const struct colours *v, struct colours *sum)
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            sum->c[i].re += u->e[j][i].re * v->c[j].re + u->e[j][i].im * v->c[j].im;
            sum->c[i].im += u->e[j][i].re * v->c[j].im - u->e[j][i].im * v->c[j].re;
        }
}

FUNCTION struct link link_product(struct link a, struct link b)
{
    struct link c;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            struct number sum = {0, 0};
            for (int k = 0; k < 3; k++) {
                sum.re += a.e[i][k].re * b.e[k][j].re - a.e[i][k].im * b.e[k][j].im;
                sum.im += a.e[i][k].re * b.e[k][j].im + a.e[i][k].im * b.e[k][j].re;
            }
            c.e[i][j] = sum;
        }
    return c;
}

/// The real part of the trace of the product of one matrix and the adjoint of another.
FUNCTION float trace_with_adjoint(struct link a, struct link b)
{
    float sum = 0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            sum += a.e[i][j].re * b.e[i][j].re + a.e[i][j].im * b.e[i][j].im;
    return sum;
}

/// A random number from 0 to 1 that belongs to a place and a moment.
FUNCTION float chance(unsigned at, unsigned moment)
{
    unsigned x = at * 0x9e3779b9u + moment * 0x85ebca6bu;
    x ^= x >> 16;
    x *= 0x7feb352du;
    x ^= x >> 15;
    x *= 0x846ca68bu;
    x ^= x >> 16;
    return (x >> 8) * 0x1p-24f;
}

/// What the wind at `at` carries into the next cell, limited as van Leer does.
FUNCTION float through_face(const float *wind, const float *x, int at, int by)
{
    float u = 0.4f * wind[at] - 0.15f;
    int from = u > 0 ? at : at + by, way = u > 0 ? by : -by;
    float ahead = x[from + way] - x[from], behind = x[from] - x[from - way], product = ahead * behind;
    float slope = product > 0 ? 2 * product / (ahead + behind) : 0;
    return u * (x[from] + 0.5f * (1 - fabsf(u)) * slope);
}

/// The speed at which rain falls through air of a density.
FUNCTION float fall_speed(float water, float density)
{
    return 36.34f * powf(0.001f * density * water, 0.1346f) / sqrtf(density);
}

/// The cubic spline of a smoothed particle, of a distance whose unit is its reach.
FUNCTION float kernel_of(float q)
{
    if (q >= 1)
        return 0;
    float r = 1 - q;
    return q < 0.5f ? 2.546479f * (1 - 6 * q * q * r) : 5.092958f * r * r * r;
}

/// The colours of a pixel whose sensor sees one: red at even rows and columns, blue at odd ones, green at others.
FUNCTION void colours_of(const unsigned char *x, int n, int i, int j, int *colour)
{
    const unsigned char *p = x + i * n + j;
    int across = (p[-1] + p[1]) / 2, along = (p[-n] + p[n]) / 2, cross = (p[-1] + p[1] + p[-n] + p[n]) / 4;
    int corners = (p[-n - 1] + p[-n + 1] + p[n - 1] + p[n + 1]) / 4;
    if (i % 2 == 0 && j % 2 == 0) {
        colour[0] = p[0];
        colour[1] = cross;
        colour[2] = corners;
    } else if (i % 2 == 1 && j % 2 == 1) {
        colour[0] = corners;
        colour[1] = cross;
        colour[2] = p[0];
    } else {
        colour[0] = i % 2 == 0 ? across : along;
        colour[1] = p[0];
        colour[2] = i % 2 == 0 ? along : across;
    }
}

FUNCTION float gelu(float x)
{
    return 0.5f * x * (1 + tanhf(0.7978845608f * (x + 0.044715f * x * x * x)));
}

/// Makes four random numbers of a counter and a key, in ten rounds.
FUNCTION void counted_random(unsigned *counter, unsigned key, unsigned other)
{
    for (int round = 0; round < 10; round++) {
        unsigned long long p = 0xd2511f53ull * counter[0], q = 0xcd9e8d57ull * counter[2];
        unsigned first = (unsigned)(q >> 32) ^ counter[1] ^ key, third = (unsigned)(p >> 32) ^ counter[3] ^ other;
        counter[0] = first;
        counter[1] = (unsigned)q;
        counter[2] = third;
        counter[3] = (unsigned)p;
        key += 0x9e3779b9u;
        other += 0xbb67ae85u;
    }
}

FUNCTION unsigned mixed(unsigned x)
{
    x = (x ^ x >> 16) * 0x7feb352du;
    x = (x ^ x >> 15) * 0x846ca68bu;
    return x ^ x >> 16;
}

/// The first derivative between places, of the fourth order.
FUNCTION float between(const float *x, int at, int by)
{
    return 1.125f * (x[at + by] - x[at]) - 0.0416667f * (x[at + 2 * by] - x[at - by]);
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

/// Particles of a cube of cells, those of a cell side by side: `start` has the first one of each.
static inline int fill_cells(const float *a, const int *at, int *start, struct particle *p)
{
    int count = 0;
    for (int c = 0; c < ALL_CELLS; c++) {
        start[c] = count;
        for (int k = at[c] >> 10 & 7; k < AT_MOST; k++, count++) {
            p[count].x = c % CELLS + a[4 * count];
            p[count].y = c / CELLS % CELLS + a[4 * count + 1];
            p[count].z = c / (CELLS * CELLS) + a[4 * count + 2];
            p[count].mass = 0.5f + a[4 * count + 3];
        }
    }
    start[ALL_CELLS] = count;
    return count;
}

/// Three atoms that are near to each other, for each angle.
static inline void fill_bends(const int *at, struct triple *bends)
{
    for (int i = 0; i < BENDS; i++) {
        int j = i / (BENDS / ATOMS);
        struct triple t = {(j + 1 + (at[i] >> 8 & 15)) % ATOMS, j, (j + 17 + (at[i] >> 12 & 15)) % ATOMS};
        bends[i] = t;
    }
}

/// Two triangles for each square of a mesh.
static inline void fill_triangles(const float *a, int *corners, double *x, double *y)
{
    const int edge = MESH + 1;
    for (int p = 0; p < edge * edge; p++) {
        x[p] = p % edge + 0.3 * a[2 * p];
        y[p] = p / edge + 0.3 * a[2 * p + 1];
    }
    for (int e = 0; e < TRIANGLES; e++) {
        int first = e / 2 / MESH * edge + e / 2 % MESH;
        corners[3 * e] = first + e % 2;
        corners[3 * e + 1] = first + 1 + e % 2 * edge;
        corners[3 * e + 2] = first + edge;
    }
}

/// The first entries of slices of a sparse matrix, each as wide as its widest row: 8 to 23 entries.
static inline void fill_slices(const int *at, int *start)
{
    start[0] = 0;
    for (int s = 0; s < ROWS / SLICE; s++)
        start[s + 1] = start[s] + SLICE * (8 + (at[s] >> 12 & 15));
}

/// The first entries of rows of 4 to 19 entries.
static inline void fill_rows(const int *at, int *start)
{
    start[0] = 0;
    for (int i = 0; i < ROWS; i++)
        start[i + 1] = start[i] + 4 + (at[i] >> 14 & 15);
}

/// The neighbours of nodes of a graph, in ascending order.
static inline void fill_friends(const int *at, int *friends)
{
    for (int p = 0; p < PEOPLE + STRANGERS; p++) {
        int other = p;
        for (int k = 0; k < FRIENDS; k++) {
            other += 1 + (at[p * FRIENDS + k] >> 9 & 3);
            friends[p * FRIENDS + k] = other;
        }
    }
}

/// Two sorted arrays, the one behind the other.
static inline void fill_sorted(const int *at, int *sorted)
{
    for (int i = 0; i < 2 * MERGED; i++)
        sorted[i] = (i % MERGED == 0 ? 0 : sorted[i - 1]) + (at[i] >> 11 & 15);
}

/// Cosines and sines of directions.
static inline void fill_directions(float *direction)
{
    for (int k = 0; k < LINES_OF; k++) {
        direction[2 * k] = cosf(3.14159265f / LINES_OF * k);
        direction[2 * k + 1] = sinf(3.14159265f / LINES_OF * k);
    }
}
