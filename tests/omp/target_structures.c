// options: -fopenmp
// Structures whose pointers lead to arrays and to other structures, mapped whole, by members and later on.
#include <stdio.h>
#include <stdlib.h>

struct part {
    int first;
    double *q;
    int last;
};

struct whole {
    struct part in[2];
    struct part *more;
    int n;
};

static double *numbers(int n, double from)
{
    double *q = malloc(n * sizeof *q);
    for (int i = 0; i < n; i++)
        q[i] = from + i;
    return q;
}

static void update(void)
{
    struct part s = { 1, numbers(10, 0), 3 };
    double *host = s.q, *other = numbers(10, 100), r = 0;
#pragma omp target enter data map(to : s, s.q[0:10])
    s.first = 50;
    s.last = 60;
#pragma omp target update to(s)
#pragma omp target map(from : r)
    {
        r = s.first + s.last + s.q[9];
        s.first = 8;
        s.last = 9;
        s.q[9] = 90;
    }
    printf("%g\n", r);
#pragma omp target update from(s.first)
    printf("%d\n", s.first);
#pragma omp target update from(s.q[9:1]) from(s)
    printf("%d %d %g %d\n", s.first, s.last, s.q[9], s.q == host);
#pragma omp target exit data map(from : s, s.q[0:10])
    // The pointer leads elsewhere: so does its copy.
#pragma omp target data map(to : s, s.q[0:10])
    {
        s.q = other;
#pragma omp target map(to : s.q[0:10]) map(from : r)
        r = s.q[1];
    }
    printf("%g\n", r);
    free(host);
    free(other);
}

/* Pointers of a structure and of those behind one of its pointers, in one directive. */
static void behind_pointers(void)
{
    struct whole w = { .n = 2, .more = calloc(2, sizeof(struct part)) };
    double r = 0;
    for (int i = 0; i < 2; i++) {
        w.in[i] = (struct part){ i, numbers(2, i), 0 };
        w.more[i] = (struct part){ 9, numbers(1, 5 + i), 0 };
    }
#pragma omp target enter data map(to : w) map(to : w.more[0:2])
    for (int i = 0; i < 2; i++) {
#pragma omp target enter data map(to : w.in[i].q[0:2], w.more[i].q[0:1])
    }
#pragma omp target map(tofrom : r)
    for (int i = 0; i < w.n; i++) {
        r += w.in[i].q[1] + w.more[i].q[0];
        w.more[i].q[0] = -1 - i;
        w.more[i].first = i;
    }
    for (int i = 0; i < 2; i++) {
#pragma omp target update from(w.more[i].first)
#pragma omp target exit data map(from : w.in[i].q[0:2], w.more[i].q[0:1])
    }
#pragma omp target exit data map(delete : w.more[0:2]) map(delete : w)
    printf("%g %g %g %d %d\n", r, w.more[0].q[0], w.more[1].q[0], w.more[0].first, w.more[1].first);
    for (int i = 0; i < 2; i++) {
        free(w.in[i].q);
        free(w.more[i].q);
    }
    free(w.more);
}

static void arrays_of_structures(void)
{
    struct part v[3], *h = malloc(3 * sizeof *h);
    for (int i = 0; i < 3; i++) {
        v[i] = (struct part){ i, numbers(i + 1, 10 * i), i };
        h[i] = (struct part){ i, numbers(1, i), i };
    }
#pragma omp target enter data map(to : v) map(to : h[0:3])
    for (int i = 0; i < 3; i++) {
#pragma omp target enter data map(to : v[i].q[0:i + 1]) map(to : h[i].q[:1])
    }
#pragma omp target teams distribute parallel for
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k <= i; k++)
            v[i].q[k] += 0.5;
        h[i].q[0] += h[i].last;
    }
    for (int i = 0; i < 3; i++) {
#pragma omp target exit data map(from : v[i].q[0:i + 1]) map(from : h[i].q[:1])
    }
#pragma omp target exit data map(release : v) map(release : h[0:3])
    printf("%g %g %g %g\n", v[0].q[0], v[2].q[2], h[1].q[0], h[2].q[0]);
#pragma omp target map(tofrom : v[1].first, v[1].q[0:2])
    {
        v[1].first = 42;
        v[1].q[1] = v[1].first;
    }
    printf("%d %g\n", v[1].first, v[1].q[1]);
    for (int i = 0; i < 3; i++) {
        free(v[i].q);
        free(h[i].q);
    }
    free(h);
}

int main(void)
{
    update();
    behind_pointers();
    arrays_of_structures();
    return 0;
}
