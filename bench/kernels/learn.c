/* k-means of points, a perceptron with a hidden layer, k nearest neighbours. */
#include "../loops/timing.h"
#include <math.h>
#include <stdint.h>
#include <string.h>

#define DIM 4
#define K 8
#define HIDDEN 16

typedef struct {
    float x[DIM];
    int label;
} sample;

typedef struct {
    float w1[HIDDEN][DIM + 1], w2[HIDDEN + 1];
    float hidden[HIDDEN];
} network;

sample *samples;

static float distance2(const float *a, const float *b)
{
    float sum = 0;
    for (int i = 0; i < DIM; i++) {
        float d = a[i] - b[i];
        sum += d * d;
    }
    return sum;
}

static int nearest(float centre[K][DIM], const float *x)
{
    int best = 0;
    float least = distance2(centre[0], x);
    for (int k = 1; k < K; k++) {
        float d = distance2(centre[k], x);
        if (d < least) {
            least = d;
            best = k;
        }
    }
    return best;
}

static double kmeans(long n)
{
    float centre[K][DIM];
    for (int k = 0; k < K; k++)
        memcpy(centre[k], samples[k * 31].x, sizeof centre[k]);
    for (int round = 0; round < 10; round++) {
        float sum[K][DIM] = {{0}};
        int count[K] = {0};
        for (long i = 0; i < n; i++) {
            int k = nearest(centre, samples[i].x);
            samples[i].label = k;
            count[k]++;
            for (int d = 0; d < DIM; d++)
                sum[k][d] += samples[i].x[d];
        }
        for (int k = 0; k < K; k++)
            if (count[k])
                for (int d = 0; d < DIM; d++)
                    centre[k][d] = sum[k][d] / count[k];
    }
    double total = 0;
    for (int k = 0; k < K; k++)
        total += centre[k][k % DIM] * (k + 1);
    return total;
}

static float forward(network *net, const float *x)
{
    float out = net->w2[HIDDEN];
    for (int h = 0; h < HIDDEN; h++) {
        float a = net->w1[h][DIM];
        for (int i = 0; i < DIM; i++)
            a += net->w1[h][i] * x[i];
        net->hidden[h] = a > 0 ? a : 0.01f * a;
        out += net->w2[h] * net->hidden[h];
    }
    return 1 / (1 + expf(-out));
}

static void backward(network *net, const float *x, float error)
{
    const float rate = 0.05f;
    for (int h = 0; h < HIDDEN; h++) {
        float g = error * net->w2[h] * (net->hidden[h] > 0 ? 1 : 0.01f);
        net->w2[h] += rate * error * net->hidden[h];
        for (int i = 0; i < DIM; i++)
            net->w1[h][i] += rate * g * x[i];
        net->w1[h][DIM] += rate * g;
    }
    net->w2[HIDDEN] += rate * error;
}

void setup(long n)
{
    samples = array(n, sizeof *samples);
    uint32_t seed = 1;
    for (long i = 0; i < n; i++)
        for (int d = 0; d < DIM; d++) {
            seed = seed * 1664525 + 1013904223;
            samples[i].x[d] = (seed >> 8) / 16777216.0f + (i + d) % 3;
        }
}

double kernel(long n)
{
    double result = kmeans(n);
    network net;
    for (int h = 0; h < HIDDEN; h++) {
        for (int i = 0; i <= DIM; i++)
            net.w1[h][i] = (h * 7 + i * 3) % 11 / 11.0f - 0.5f;
        net.w2[h] = (h * 5) % 7 / 7.0f - 0.5f;
    }
    net.w2[HIDDEN] = 0;
    for (int epoch = 0; epoch < 5; epoch++)
        for (long i = 0; i < n; i++) {
            float want = samples[i].label % 2, got = forward(&net, samples[i].x);
            backward(&net, samples[i].x, want - got);
        }
    for (long i = 0; i < n; i++)
        result += forward(&net, samples[i].x) > 0.5f;
    return result;
}
