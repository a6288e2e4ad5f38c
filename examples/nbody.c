// Gravitation between a few hundred bodies, each step in two loops; the energy must stay what it was.
#include <math.h>
#include <stdio.h>

enum { N = 256, STEPS = 20 };
struct body {
    double x[3], v[3], mass;
};
static struct body bodies[N];

static double energy(void)
{
    double kinetic = 0, potential = 0;
#pragma acc parallel loop gang reduction(+:kinetic, potential) present(bodies)
    for (int i = 0; i < N; i++) {
        const double *v = bodies[i].v;
        kinetic += 0.5 * bodies[i].mass * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
        double sum = 0;
#pragma acc loop vector reduction(+:sum)
        for (int j = 0; j < N; j++)
            if (j != i) {
                double dx = bodies[j].x[0] - bodies[i].x[0];
                double dy = bodies[j].x[1] - bodies[i].x[1];
                double dz = bodies[j].x[2] - bodies[i].x[2];
                sum += bodies[j].mass / sqrt(dx * dx + dy * dy + dz * dz + 1e-3);
            }
        potential -= 0.5 * bodies[i].mass * sum;
    }
    return kinetic + potential;
}

static void step(double dt)
{
#pragma acc parallel loop gang present(bodies)
    for (int i = 0; i < N; i++) {
        double ax = 0, ay = 0, az = 0;
#pragma acc loop vector reduction(+:ax, ay, az)
        for (int j = 0; j < N; j++) {
            double dx = bodies[j].x[0] - bodies[i].x[0];
            double dy = bodies[j].x[1] - bodies[i].x[1];
            double dz = bodies[j].x[2] - bodies[i].x[2];
            double square = dx * dx + dy * dy + dz * dz + 1e-3;
            double pull = bodies[j].mass / (square * sqrt(square));
            ax += pull * dx;
            ay += pull * dy;
            az += pull * dz;
        }
        bodies[i].v[0] += dt * ax;
        bodies[i].v[1] += dt * ay;
        bodies[i].v[2] += dt * az;
    }
#pragma acc parallel loop collapse(2) present(bodies)
    for (int i = 0; i < N; i++)
        for (int d = 0; d < 3; d++)
            bodies[i].x[d] += dt * bodies[i].v[d];
}

int main(void)
{
    unsigned state = 1;
    for (int i = 0; i < N; i++) {
        for (int d = 0; d < 3; d++) {
            state = state * 1103515245u + 12345u;
            bodies[i].x[d] = (state >> 16) / 65536.0 - 0.5;
        }
        bodies[i].mass = 1.0 / N;
    }
#pragma acc data copy(bodies)
    {
        double before = energy();
        for (int i = 0; i < STEPS; i++)
            step(1e-3);
        double after = energy();
        printf("energy %.5f, relative drift below 1e-3: %s\n", before,
               fabs((after - before) / before) < 1e-3 ? "yes" : "no");
    }
    return 0;
}
