// What nests.c and nests.cu have in common: sizes, structures, constant tables.
#ifdef __CUDACC__
#define TABLE __device__ constexpr
#else
#define TABLE static const
#endif

enum {
    N = 1 << 26,        // elements of vectors
    SIDE = 8192,        // of planes of float
    PLANE = 4096,       // of planes of double, and of those with many arrays
    EDGE = 384,         // of cubes
    NODES = 1 << 20,    // rows of the sparse matrix
    MOST_PER_ROW = 24,  // entries of a row, at most
    ROWS = 1 << 20,     // short rows
    SHORT = 32,         // elements of each
    LONG_ROWS = 1 << 14,
    LONG = 4096,
    POINTS = 1 << 22,
    CENTRES = 16,
    MATRICES = 1 << 20,
    SMALL = 3,
    TILES = 1 << 17,
    OF_TILE = 8,
    TARGETS = 1 << 15,  // points whose nearest neighbour is sought
    BINS = 64,          // of a histogram, in each of two dimensions
    CELLS = 1 << 12,    // bins of the histogram whose length no code knows
    ENTRIES = 1024,     // of a table that is interpolated
    STEPS = 64
};

struct particle {
    float x, y, z, vx, vy, vz;
};

struct number {
    float re, im;
};

struct colour {
    unsigned char r, g, b;
};

TABLE float blur[5][5] = {{1, 4, 6, 4, 1}, {4, 16, 24, 16, 4}, {6, 24, 36, 24, 6}, {4, 16, 24, 16, 4}, {1, 4, 6, 4, 1}};
TABLE int step_x[9] = {0, 1, 0, -1, 0, 1, -1, -1, 1};
TABLE int step_y[9] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
TABLE float part[9] = {4.0f / 9, 1.0f / 9, 1.0f / 9, 1.0f / 9, 1.0f / 9, 1.0f / 36, 1.0f / 36, 1.0f / 36, 1.0f / 36};
TABLE float coefficient[8] = {0.5f, -1.25f, 0.75f, 0.125f, -0.0625f, 0.3f, -0.7f, 0.9f};
