/* Forces between n particles of a chain: vectors of three by value, small functions of them. */
#include "../loops/timing.h"

struct vec3 {
    double x, y, z;
};

static struct vec3 vec3(double x, double y, double z)
{
    struct vec3 v = {x, y, z};
    return v;
}

static struct vec3 add(struct vec3 a, struct vec3 b)
{
    return vec3(a.x + b.x, a.y + b.y, a.z + b.z);
}

static struct vec3 sub(struct vec3 a, struct vec3 b)
{
    return vec3(a.x - b.x, a.y - b.y, a.z - b.z);
}

static struct vec3 scale(struct vec3 a, double s)
{
    return vec3(a.x * s, a.y * s, a.z * s);
}

static double dot(struct vec3 a, struct vec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static struct vec3 cross(struct vec3 a, struct vec3 b)
{
    return vec3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

struct vec3 *at, *force;

void setup(long n)
{
    at = array(n, sizeof *at);
    force = array(n, sizeof *force);
    for (long i = 0; i < n; i++)
        at[i] = vec3(i % 7, i % 11 * 0.5, i % 13 * 0.25);
}

double kernel(long n)
{
    struct vec3 total = vec3(0, 0, 0);
    for (long i = 1; i < n; i++) {
        struct vec3 d = sub(at[i], at[i - 1]);
        force[i] = add(scale(d, 0.5 / (dot(d, d) + 1)), cross(at[i], d));
        total = add(total, force[i]);
    }
    return dot(total, vec3(1, 2, 3));
}
