/* Images of bytes: a convolution, Sobel, bilinear scaling, colours to YCbCr and back, a median filter, a histogram. */
#include "../loops/timing.h"
#include <stdint.h>
#include <string.h>

typedef uint8_t byte;
typedef struct {
    byte r, g, b;
} rgb;

int width, height;
byte *grey, *soft, *edges, *middle, *small;
rgb *colours;

static int clamp(int x, int low, int high)
{
    return x < low ? low : x > high ? high : x;
}

static void blur(const byte *in, byte *out)
{
    static const int k[3][3] = {{1, 2, 1}, {2, 4, 2}, {1, 2, 1}};
    for (int y = 1; y < height - 1; y++)
        for (int x = 1; x < width - 1; x++) {
            int sum = 0;
            for (int dy = -1; dy <= 1; dy++)
                for (int dx = -1; dx <= 1; dx++)
                    sum += in[(y + dy) * width + x + dx] * k[dy + 1][dx + 1];
            out[y * width + x] = sum / 16;
        }
}

static void sobel(const byte *in, byte *out)
{
    for (int y = 1; y < height - 1; y++)
        for (int x = 1; x < width - 1; x++) {
            const byte *p = in + y * width + x;
            int gx = p[-width + 1] + 2 * p[1] + p[width + 1] - p[-width - 1] - 2 * p[-1] - p[width - 1];
            int gy = p[width - 1] + 2 * p[width] + p[width + 1] - p[-width - 1] - 2 * p[-width] - p[-width + 1];
            out[y * width + x] = clamp(abs(gx) + abs(gy), 0, 255);
        }
}

static void scale(const byte *in, byte *out, int w, int h)
{
    for (int y = 0; y < h; y++) {
        float fy = (float)y * (height - 1) / h;
        int iy = fy;
        float ty = fy - iy;
        for (int x = 0; x < w; x++) {
            float fx = (float)x * (width - 1) / w;
            int ix = fx;
            float tx = fx - ix;
            const byte *p = in + iy * width + ix;
            float top = p[0] * (1 - tx) + p[1] * tx, bottom = p[width] * (1 - tx) + p[width + 1] * tx;
            out[y * w + x] = (byte)(top * (1 - ty) + bottom * ty + 0.5f);
        }
    }
}

static void to_ycc(rgb *p, int n)
{
    for (int i = 0; i < n; i++) {
        int r = p[i].r, g = p[i].g, b = p[i].b;
        int y = (19595 * r + 38470 * g + 7471 * b + 32768) >> 16;
        int cb = ((b - y) * 36962 >> 16) + 128, cr = ((r - y) * 46727 >> 16) + 128;
        p[i] = (rgb){clamp(y, 0, 255), clamp(cb, 0, 255), clamp(cr, 0, 255)};
    }
}

static rgb to_rgb(rgb c)
{
    int y = c.r, cb = c.g - 128, cr = c.b - 128;
    return (rgb){clamp(y + (91881 * cr >> 16), 0, 255), clamp(y - ((22554 * cb + 46802 * cr) >> 16), 0, 255),
                 clamp(y + (116130 * cb >> 16), 0, 255)};
}

#define SORT(a, b) if (v[a] > v[b]) { byte t = v[a]; v[a] = v[b]; v[b] = t; }

static byte median9(const byte *p, int stride)
{
    byte v[9];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            v[i * 3 + j] = p[(i - 1) * stride + j - 1];
    SORT(1, 2) SORT(4, 5) SORT(7, 8) SORT(0, 1) SORT(3, 4) SORT(6, 7) SORT(1, 2) SORT(4, 5) SORT(7, 8)
    SORT(0, 3) SORT(5, 8) SORT(4, 7) SORT(3, 6) SORT(1, 4) SORT(2, 5) SORT(4, 7) SORT(4, 2) SORT(6, 4) SORT(4, 2)
    return v[4];
}

void setup(long n)
{
    width = n;
    height = n * 3 / 4;
    grey = array(width * height, 1);
    soft = array(width * height, 1);
    edges = array(width * height, 1);
    middle = array(width * height, 1);
    small = array(width * height, 1);
    colours = array(width * height, 3);
    memset(soft, 0, width * height);
    memset(edges, 0, width * height);
    memset(middle, 0, width * height);
    uint32_t seed = 11;
    for (int i = 0; i < width * height; i++) {
        seed = seed * 1664525 + 1013904223;
        grey[i] = (i % width + i / width + (seed >> 27)) & 255;
    }
}

double kernel(long n)
{
    blur(grey, soft);
    sobel(soft, edges);
    for (int y = 1; y < height - 1; y++)
        for (int x = 1; x < width - 1; x++)
            middle[y * width + x] = median9(&grey[y * width + x], width);
    scale(middle, small, width * 2 / 3, height * 2 / 3);
    for (int i = 0; i < width * height; i++)
        colours[i] = (rgb){grey[i], soft[i], edges[i]};
    to_ycc(colours, width * height);
    for (int i = 0; i < width * height; i++)
        colours[i] = to_rgb(colours[i]);
    unsigned histogram[256] = {0};
    double sum = 0;
    for (int i = 0; i < width * height; i++) {
        histogram[small[i]]++;
        histogram[colours[i].g]++;
    }
    for (int i = 0; i < 256; i++)
        sum += (double)i * histogram[i];
    return sum;
}
