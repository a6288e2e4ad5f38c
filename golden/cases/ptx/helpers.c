//! golden inline-regions.ir: ir --target ptx --stage inline-regions --no-positions
//! golden widen.ir: ir --target ptx --stage widen --no-positions
//! golden explain: explain
/* Small functions stand where regions call them before lanes are chosen: what they access decides. */
struct box {
    float left, bottom, right, top;
};

static float least(float a, float b) { return a < b ? a : b; }
static float most(float a, float b) { return a > b ? a : b; }

/* Objects by value, and calls in calls. */
static float common(struct box a, struct box b)
{
    float width = least(a.right, b.right) - most(a.left, b.left);
    float height = least(a.top, b.top) - most(a.bottom, b.bottom);
    return most(width, 0) * most(height, 0);
}

static struct box moved(struct box a, float by)
{
    struct box b = {a.left + by, a.bottom, a.right + by, a.top};
    return b;
}

/* Lanes go along `i`, whose boxes are neighbours. */
void touching(int n, int m, const struct box *restrict boxes, unsigned *restrict y)
{
#pragma acc parallel loop collapse(2) present(boxes, y)
    for (int i = 0; i < n; i++)
        for (int w = 0; w < m; w++) {
            unsigned bits = 0;
            for (int k = 0; k < 32; k++)
                if (common(boxes[i], moved(boxes[32 * w + k], 0.5f)) > 0)
                    bits |= 1u << k;
            y[i * m + w] = bits;
        }
}

static float between(const float *x, int at, int by) { return 9 * (x[at + by] - x[at]) - (x[at + 2 * by] - x[at - by]); }

/* Without a sign, sums wrap around. */
static int around(unsigned at, unsigned by) { return (int)(at + by); }

void differences(int n, const float *restrict x, float *restrict y)
{
#pragma acc parallel loop collapse(2) present(x, y)
    for (int i = 1; i < n - 2; i++)
        for (int j = 1; j < n - 2; j++)
            y[i * n + j] = between(x, i * n + j, 1) + between(x, i * n + j, n) + x[around(i * n + j, -1u)];
}

/* What names a variable of the program stays a call; loops come along. */
static float scale = 2;
#pragma acc declare copyin(scale)

static float scaled(float x) { return scale * x; }

static float power(float x, int n)
{
    float product = 1;
    for (int k = 0; k < n; k++)
        product *= x;
    return product;
}

void calls(int n, const float *restrict x, float *restrict y)
{
#pragma acc parallel loop present(x, y)
    for (int i = 0; i < n; i++)
        y[i] = scaled(x[i]) + power(x[i], i % 4);
}
