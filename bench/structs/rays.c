/* A picture of n points: rays and five spheres, one reflection. */
#include "../loops/timing.h"
#include <math.h>

typedef struct {
    double x, y, z;
} vec;

typedef struct {
    vec from, to;
} ray;

typedef struct {
    vec center;
    double radius, mirror;
    vec color;
} sphere;

static vec add(vec a, vec b)
{
    return (vec){a.x + b.x, a.y + b.y, a.z + b.z};
}

static vec sub(vec a, vec b)
{
    return (vec){a.x - b.x, a.y - b.y, a.z - b.z};
}

static vec scale(vec a, double s)
{
    return (vec){a.x * s, a.y * s, a.z * s};
}

static double dot(vec a, vec b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static vec unit(vec a)
{
    return scale(a, 1 / sqrt(dot(a, a)));
}

enum { SPHERES = 5 };

static sphere scene[SPHERES];
vec light;

static double hit(ray r, const sphere *s)
{
    vec d = sub(r.from, s->center);
    double b = dot(d, r.to), c = dot(d, d) - s->radius * s->radius, root = b * b - c;
    if (root < 0)
        return -1;
    root = sqrt(root);
    return -b - root > 1e-6 ? -b - root : -b + root > 1e-6 ? -b + root : -1;
}

static vec color(ray r, int depth)
{
    int nearest = -1;
    double t = 1e30;
    for (int i = 0; i < SPHERES; i++) {
        double found = hit(r, &scene[i]);
        if (found > 0 && found < t) {
            t = found;
            nearest = i;
        }
    }
    if (nearest < 0)
        return (vec){0.1, 0.1, 0.2 + 0.1 * r.to.y};
    const sphere *s = &scene[nearest];
    vec at = add(r.from, scale(r.to, t)), normal = unit(sub(at, s->center));
    double bright = dot(normal, light);
    vec own = scale(s->color, bright > 0 ? bright : 0);
    if (depth == 0)
        return own;
    ray back = {at, unit(sub(r.to, scale(normal, 2 * dot(r.to, normal))))};
    return add(scale(own, 1 - s->mirror), scale(color(back, depth - 1), s->mirror));
}

void setup(long n)
{
    (void)n;
    light = unit((vec){1, 2, -1});
    for (int i = 0; i < SPHERES; i++) {
        sphere s = {{i - 2, i % 2 * 0.5, 4 + i % 3}, 0.6, 0.3, {0.2 * i, 0.5, 1 - 0.2 * i}};
        scene[i] = s;
    }
}

double kernel(long n)
{
    long width = (long)sqrt(n);
    vec sum = {0, 0, 0};
    for (long i = 0; i < width; i++)
        for (long j = 0; j < width; j++) {
            ray r = {{0, 0, 0}, unit((vec){(j - width / 2) * 2.0 / width, (width / 2 - i) * 2.0 / width, 1})};
            sum = add(sum, color(r, 1));
        }
    return dot(sum, (vec){1, 1, 1});
}
