/* Elements that all iterations update atomically: one, several, chosen at run time, seldom updated, in nests, beside functions,
   and of loops without iterations. */

#include <stdio.h>

enum { N = 1000 };

struct totals {
    long long sum;
    int least, most;
    unsigned bits[3];
};

static void next(unsigned *state) { *state = *state * 1103515245u + 12345u; }

static int plain(int n, const int *x, int *y)
{
#pragma acc parallel loop copyin(x[0:n]) present(y)
    for (int i = 0; i < n; i++) {
#pragma acc atomic update
        y[3] += x[i];
    }
    return 0;
}

/* The element need not be there: no iteration updates it. */
static void none(int n, double *nothing)
{
#pragma acc parallel loop deviceptr(nothing)
    for (int i = 0; i < n; i++) {
#pragma acc atomic
        nothing[5] += i;
    }
}

static void chosen(int n, int k, double *restrict y, const double *restrict x)
{
#pragma acc parallel loop copy(y[0:8]) copyin(x[0:n])
    for (int i = 0; i < n; i++) {
#pragma acc atomic
        y[k + 1] -= x[i];
    }
}

int main(void)
{
    int x[N], y[8] = {0}, count = 5, seldom = 0;
    unsigned u[N];
    double v[N], z[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    for (int i = 0; i < N; i++) {
        x[i] = i * 37 % 101 - 50;
        u[i] = 1u << i % 30;
        v[i] = 0.25 * (i % 8);
    }

#pragma acc data copy(y)
    {
        plain(N, x, y);
        plain(0, x, y);
    }
    none(0, NULL);
    chosen(N, 2, z, v);
    chosen(0, 2, z, v);
    printf("%d %d; %g %g %g\n", y[3], y[2], z[2], z[3], z[4]);

#pragma acc parallel loop copy(count, seldom) copyin(x)
    for (int i = 0; i < N; i++) {
#pragma acc atomic
        count++;
        if (x[i] == 50) {
#pragma acc atomic
            seldom += i;
        }
    }
    printf("%d %d\n", count, seldom);

    struct totals all = {0, 1000, -1000, {0, 0, ~0u}};
#pragma acc parallel loop gang copy(all) copyin(x, u)
    for (int i = 0; i < N / 10; i++) {
#pragma acc loop vector
        for (int j = 0; j < 10; j++) {
            int at = 10 * i + j;
#pragma acc atomic
            all.sum += x[at];
#pragma acc atomic
            all.bits[0] |= u[at];
#pragma acc atomic
            all.bits[1] ^= u[at];
#pragma acc atomic
            all.bits[2] &= ~u[at] | 0x80000001u;
        }
    }
    printf("%lld %d %d %x %x %x\n", all.sum, all.least, all.most, all.bits[0], all.bits[1], all.bits[2]);

    /* What an update gives is used, so that it stays one. */
    int taken = 0, places[N];
#pragma acc parallel loop copy(taken) copyout(places)
    for (int i = 0; i < N; i++) {
        int at;
#pragma acc atomic capture
        at = taken++;
        places[i] = at;
    }
    long long sum = 0;
    for (int i = 0; i < N; i++)
        sum += places[i];
    printf("%d %lld\n", taken, sum);

    /* Two names for one object, and a constant that both updates share. */
    int *same = y;
#pragma acc parallel loop copy(y) copyin(x)
    for (int i = 0; i < N; i++) {
#pragma acc atomic
        y[1] += x[i];
#pragma acc atomic
        same[i % 4] += 1;
    }
    printf("%d %d %d %d\n", y[0], y[1], y[2], y[3]);

    /* Beside a function that has a variable of the iteration to work on, and beside a reduction. */
    double total = 0, few[4] = {0};
#pragma acc parallel loop reduction(+:total) copy(few)
    for (int i = 0; i < N; i++) {
        unsigned state = (unsigned)i;
        for (int k = 0; k < 5; k++)
            next(&state);
        total += state % 16;
        for (int k = 0; k < 4; k++) {
#pragma acc atomic
            few[k] += state >> (4 * k) & 15;
        }
    }
    printf("%g: %g %g %g %g\n", total, few[0], few[1], few[2], few[3]);

    /* No iteration updates what is not there. */
    int part[8] = {0}, *some = part + 4;
#pragma acc parallel loop copy(part[2:4]) copyin(x)
    for (int i = 0; i < N; i++)
        if (x[i] > 1000) {
#pragma acc atomic
            part[0] += 1;
        } else {
#pragma acc atomic
            part[2] += 1;
        }
#pragma acc parallel loop copy(some[1:2]) copyin(x)
    for (int i = 0; i < N; i++)
        if (x[i] > 1000) {
#pragma acc atomic
            some[0] += 1;
        }
    printf("%d %d %d\n", part[0], part[2], part[5]);

    /* Other queues update the same element meanwhile. */
    int shared = 0;
#pragma acc data copy(shared) copyin(x)
    {
        for (int queue = 1; queue <= 4; queue++) {
#pragma acc parallel loop num_gangs(1) async(queue) present(shared, x)
            for (int i = 0; i < N; i++) {
#pragma acc atomic
                shared += x[i] & 3;
            }
#pragma acc parallel loop async(queue) present(shared)
            for (int i = 0; i < N; i++) {
#pragma acc atomic
                shared -= 1;
            }
        }
#pragma acc wait
    }
    printf("%d\n", shared);

    /* Read in the same iteration, before and behind: nobody else may wait for the end. */
    int reads = 0, seen = 0;
#pragma acc parallel loop num_gangs(1) num_workers(1) vector_length(1) copy(reads, seen)
    for (int i = 0; i < 10; i++) {
#pragma acc atomic
        reads += 1;
        int now;
#pragma acc atomic read
        now = reads;
        seen += now;
    }
    printf("%d %d\n", reads, seen);
    return 0;
}
