/* n rotations, one after the other, as quaternions in single precision. */
#include "../loops/timing.h"

typedef struct {
    float w, x, y, z;
} quat;

static quat times(quat a, quat b)
{
    return (quat){a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
                  a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}

static quat conjugate(quat q)
{
    q.x = -q.x;
    q.y = -q.y;
    q.z = -q.z;
    return q;
}

static float norm2(const quat *q)
{
    return q->w * q->w + q->x * q->x + q->y * q->y + q->z * q->z;
}

static void rescale(quat *q)
{
    float by = 1.5f - 0.5f * norm2(q);
    q->w *= by;
    q->x *= by;
    q->y *= by;
    q->z *= by;
}

quat *turn;

void setup(long n)
{
    turn = array(n, sizeof *turn);
    for (long i = 0; i < n; i++) {
        turn[i] = (quat){0.8f, 0.1f * (i % 5), 0.3f, -0.1f * (i % 3)};
        for (int k = 0; k < 8; k++)
            rescale(&turn[i]);
    }
}

double kernel(long n)
{
    quat q = {1, 0, 0, 0}, v = {0, 1, 2, 3};
    float sum = 0;
    for (long i = 0; i < n; i++) {
        q = times(q, turn[i]);
        rescale(&q);
        quat r = times(times(q, v), conjugate(q));
        sum += r.x * 0.001f;
    }
    return sum + q.w;
}
