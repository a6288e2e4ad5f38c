// A structure with pointers on the device: `enter data` for the structure, then for what it points to, which attaches
// the device's pointers; `exit data` in the opposite order.
#include <stdio.h>
#include <stdlib.h>

struct particles {
    int n;
    double *position, *velocity;
};

static int create(struct particles *p, int n)
{
    p->n = n;
    p->position = malloc(n * sizeof(double));
    p->velocity = malloc(n * sizeof(double));
    if (!p->position || !p->velocity)
        return 0;
    for (int i = 0; i < n; i++) {
        p->position[i] = i;
        p->velocity[i] = (i % 5 - 2) * 0.5;
    }
#pragma acc enter data copyin(p[0:1])
#pragma acc enter data copyin(p->position[0:n], p->velocity[0:n])
    return 1;
}

static void move(struct particles *p, double dt)
{
#pragma acc parallel loop present(p[0:1])
    for (int i = 0; i < p->n; i++)
        p->position[i] += dt * p->velocity[i];
}

static void destroy(struct particles *p)
{
#pragma acc exit data copyout(p->position[0:p->n]) delete(p->velocity[0:p->n])
#pragma acc exit data delete(p[0:1])
}

int main(void)
{
    struct particles p;
    if (!create(&p, 1000))
        return 1;
    for (int step = 0; step < 8; step++)
        move(&p, 0.25);
    destroy(&p);

    double sum = 0;
    for (int i = 0; i < p.n; i++)
        sum += p.position[i];
    printf("position[0] = %g, position[4] = %g, sum = %g\n", p.position[0], p.position[4], sum);
    free(p.position);
    free(p.velocity);
    return 0;
}
