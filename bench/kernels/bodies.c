/* A step of n bodies that attract each other. */
#include "../loops/timing.h"
#include <math.h>

typedef struct {
    double at[3], speed[3], mass;
} body;

body *bodies;

void setup(long n)
{
    bodies = array(n, sizeof *bodies);
    for (long i = 0; i < n; i++)
        bodies[i] = (body){{i % 7, i % 11, i % 13 + 0.01 * i}, {0, 0, 0}, 1 + i % 3};
}

double kernel(long n)
{
    for (long i = 0; i < n; i++)
        for (long j = i + 1; j < n; j++) {
            body *a = &bodies[i], *b = &bodies[j];
            double away[3], square = 0.01;
            for (int k = 0; k < 3; k++) {
                away[k] = a->at[k] - b->at[k];
                square += away[k] * away[k];
            }
            double pull = 1e-6 / (square * sqrt(square));
            for (int k = 0; k < 3; k++) {
                a->speed[k] -= away[k] * b->mass * pull;
                b->speed[k] += away[k] * a->mass * pull;
            }
        }
    for (long i = 0; i < n; i++)
        for (int k = 0; k < 3; k++)
            bodies[i].at[k] += bodies[i].speed[k];
    return bodies[n / 2].at[0] + bodies[n - 1].at[2];
}
