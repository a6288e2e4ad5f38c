// What codes.c and codes.cu have in common: sizes and structures.
enum {
    N = 1 << 26,        // elements of vectors
    SIDE = 8192,        // of pictures of bytes
    PLANE = 4096,       // of pictures and fields of float
    EDGE = 320,         // of cubes
    TOKENS = 1 << 16,   // rows that are normalised
    WIDTH = 768,        // elements of each
    IMAGES = 64,        // of a batch
    CHANNELS = 64,
    PIXELS = 56 * 56,
    PICTURE = 112,      // edge of a picture of many channels
    OPTIONS = 1 << 22,
    WALKERS = 1 << 20,
    DRAWS = 128,        // random numbers of each
    ROWS = 1 << 21,     // of the sparse matrix
    PER_ROW = 12,       // entries of each
    SYSTEMS = 1 << 14,  // tridiagonal ones, side by side
    UNKNOWNS = 512,     // of each
    PRODUCT = 1024,     // edge of matrices
    BODIES = 1 << 18,
    NEIGHBOURS = 48,    // of each
    SMALL = 1 << 18,    // small matrices
    HEADS = 4096,       // rows of queries and of keys
    DEPTH = 64,         // elements of each
    TABLE = 1 << 16,    // sorted numbers
    CENTRES = 16,
    POINTS = 1 << 24
};

struct vec3 {
    float x, y, z;
};

struct vec4 {
    float x, y, z, w;
};
