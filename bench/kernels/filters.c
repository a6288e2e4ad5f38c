/* Signals: FIR with a ring buffer, biquads with state in structures, DCT of 8x8 blocks, Goertzel, ADPCM. */
#include "../loops/timing.h"
#include <math.h>
#include <stdint.h>
#include <string.h>

#define TAPS 31

typedef struct {
    float taps[TAPS], line[TAPS];
    int at;
} fir;

typedef struct {
    double b0, b1, b2, a1, a2, z1, z2;
} biquad;

int16_t *samples, *decoded;
uint8_t *codes;
static float basis[8][8];

static float fir_step(fir *f, float x)
{
    float sum = 0;
    int j = f->at;
    f->line[j] = x;
    for (int i = 0; i < TAPS; i++) {
        sum += f->taps[i] * f->line[j];
        if (--j < 0)
            j = TAPS - 1;
    }
    if (++f->at == TAPS)
        f->at = 0;
    return sum;
}

static double biquad_step(biquad *q, double x)
{
    double y = q->b0 * x + q->z1;
    q->z1 = q->b1 * x - q->a1 * y + q->z2;
    q->z2 = q->b2 * x - q->a2 * y;
    return y;
}

static double cascade(biquad *q, int n, double x)
{
    for (int i = 0; i < n; i++)
        x = biquad_step(&q[i], x);
    return x;
}

static void dct(const float in[8][8], float out[8][8])
{
    float t[8][8];
    for (int i = 0; i < 8; i++)
        for (int j = 0; j < 8; j++) {
            float s = 0;
            for (int k = 0; k < 8; k++)
                s += in[i][k] * basis[j][k];
            t[i][j] = s;
        }
    for (int i = 0; i < 8; i++)
        for (int j = 0; j < 8; j++) {
            float s = 0;
            for (int k = 0; k < 8; k++)
                s += basis[i][k] * t[k][j];
            out[i][j] = s;
        }
}

static const int indices[16] = {-1, -1, -1, -1, 2, 4, 6, 8, -1, -1, -1, -1, 2, 4, 6, 8};
static int steps[89];

struct adpcm {
    int value, index;
};

static int encode(struct adpcm *s, int sample)
{
    int step = steps[s->index], diff = sample - s->value, code = 0;
    if (diff < 0) {
        code = 8;
        diff = -diff;
    }
    int delta = step >> 3;
    for (int mask = 4; mask; mask >>= 1, step >>= 1)
        if (diff >= step) {
            code |= mask;
            diff -= step;
            delta += step;
        }
    s->value += code & 8 ? -delta : delta;
    if (s->value > 32767)
        s->value = 32767;
    else if (s->value < -32768)
        s->value = -32768;
    s->index += indices[code];
    if (s->index < 0)
        s->index = 0;
    if (s->index > 88)
        s->index = 88;
    return code;
}

static double goertzel(const int16_t *x, int n, double frequency)
{
    double c = 2 * cos(frequency), s1 = 0, s2 = 0;
    for (int i = 0; i < n; i++) {
        double s = x[i] + c * s1 - s2;
        s2 = s1;
        s1 = s;
    }
    return s1 * s1 + s2 * s2 - c * s1 * s2;
}

void setup(long n)
{
    samples = array(n, sizeof *samples);
    decoded = array(n, sizeof *decoded);
    codes = array(n, 1);
    for (long i = 0; i < n; i++)
        samples[i] = 10000 * sin(i * 0.05) + 3000 * sin(i * 0.31);
    for (int i = 0; i < 8; i++)
        for (int j = 0; j < 8; j++)
            basis[i][j] = (i ? 0.5 : 0.3535533906) * cos((2 * j + 1) * i * 3.14159265358979 / 16);
    double step = 7;
    for (int i = 0; i < 89; i++, step *= 1.1)
        steps[i] = step;
}

double kernel(long n)
{
    fir f = {.at = 0};
    biquad q[3] = {{0.1, 0.2, 0.1, -1.1, 0.5, 0, 0}, {0.3, 0.1, 0.2, -0.6, 0.3, 0, 0}, {0.9, -1.5, 0.9, -1.4, 0.8, 0, 0}};
    double sum = 0;
    for (int i = 0; i < TAPS; i++)
        f.taps[i] = 1.0f / (1 + abs(i - TAPS / 2));
    for (long i = 0; i < n; i++)
        sum += fir_step(&f, samples[i]) * cascade(q, 3, samples[i]) * 1e-6;
    for (long i = 0; i + 64 <= n; i += 64) {
        float block[8][8], out[8][8];
        for (int y = 0; y < 8; y++)
            for (int x = 0; x < 8; x++)
                block[y][x] = samples[i + y * 8 + x];
        dct(block, out);
        sum += out[1][2] + out[7][7] * 0.5;
    }
    struct adpcm state = {0, 0};
    unsigned check = 0;
    for (long i = 0; i < n; i++)
        check = check * 5 + encode(&state, samples[i]);
    for (int k = 1; k < 6; k++)
        sum += goertzel(samples, n, k * 0.05) * 1e-9;
    return sum + check % 100000;
}
