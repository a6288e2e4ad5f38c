// options: -fopenmp
// Sections through pointers that are members of a structure are mapped, then the whole structure, whose lifetime ends before
// or after theirs: the section does not map the member that leads to it.
#include <omp.h>
#include <stdio.h>

struct set {
    int n;
    int *p, *q;
};

static void show(const char *what, const struct set *o)
{
    int is_left = omp_get_num_devices() > 0 && omp_target_is_present(o, omp_get_default_device());
    printf("%s: %d, %d %d %d, %d %d, left %d\n", what, o->n, o->p[0], o->p[1], o->p[3], o->q[0], o->q[1], is_left);
}

int main(void)
{
    int x[4] = {1, 2, 3, 4}, y[4] = {10, 20, 30, 40};
    struct set o = {4, x, y};

#pragma omp target data map(o.p[0:4], o.q[0:4])
    {
#pragma omp target map(o.p[0:4], o.q[0:4])
        o.p[0]++, o.q[0]++;
#pragma omp target map(o)
        o.n++;
        printf("%d\n", o.n);
#pragma omp target map(o.p[0:4], o.q[0:4])
        o.p[1] += 5, o.q[1]++;
#pragma omp target map(o) map(o.p[0:4]) map(o.q[0:4])
        o.n += o.p[1] + o.q[1];
#pragma omp target
        o.p[3] = 99;
#pragma omp target update from(o.p[0:4])
        printf("%d %d\n", o.n, x[3]);
    }
    show("nested", &o);

#pragma omp target enter data map(to : o.p[0:4])
#pragma omp target enter data map(to : o)
#pragma omp target exit data map(from : o.p[0:4])
#pragma omp target map(o)
    o.n = 77;
#pragma omp target exit data map(from : o)
    show("the section first", &o);

#pragma omp target enter data map(to : o.p[0:4])
#pragma omp target enter data map(to : o)
#pragma omp target enter data map(to : o.p[0:4])
#pragma omp target exit data map(release : o.p[0:4])
#pragma omp target exit data map(from : o)
#pragma omp target map(o.p[0:4])
    o.p[0] = 1234;
#pragma omp target exit data map(from : o.p[0:4])
    show("the whole first", &o);

    int other[4] = {5, 6, 7, 8};
#pragma omp target enter data map(to : o.p[0:4])
#pragma omp target enter data map(to : o)
#pragma omp target exit data map(from : o.p[0:4])
    o.p = other;
#pragma omp target map(o.p[0:4])
    o.p[3] += 10;
#pragma omp target exit data map(from : o)
#pragma omp target map(o.p[0:4])
    o.p[1] += 10;
    show("another section", &o);
    return 0;
}
