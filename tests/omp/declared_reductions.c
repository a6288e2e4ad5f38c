// options: -fopenmp
// Reductions that the program declares: of structures and numbers, by expressions and by functions, in every construct.
#include <stdio.h>

struct point {
    long x, y;
    int n;
};

// The type may be completed later, where only its address matters.
struct later;
void merge(struct later *into, const struct later *from);
#pragma omp declare reduction(merge : struct later : merge(&omp_out, &omp_in))
struct later {
    int sum;
};
void merge(struct later *into, const struct later *from)
{
    into->sum += from->sum;
}

#pragma omp declare reduction(+ : struct point : omp_out.x += omp_in.x, omp_out.y += omp_in.y, omp_out.n += omp_in.n)
#pragma omp declare reduction(farthest : int, long, double : omp_out = \
    omp_in * omp_in > omp_out * omp_out ? omp_in : omp_out) initializer(omp_priv = 0)

static void begin(struct point *p, const struct point *original)
{
    *p = (struct point){original->x, 1, 0};
}
#pragma omp declare reduction(times : struct point : omp_out.y *= omp_in.y) initializer(begin(&omp_priv, &omp_orig))

// A copy knows where it is.
struct list {
    int length;
    struct list *self;
};
#pragma omp declare reduction(self : struct list : omp_out.length += omp_in.length) initializer(omp_priv = {0, &omp_priv})

static void numbers_and_structures(void)
{
    struct point sum = {0};
    int far = 1;
    long further = 0;
    double real = 0.5;
#pragma omp parallel for reduction(+ : sum) reduction(farthest : far, further, real)
    for (int i = 0; i < 1000; i++) {
        sum.x += i;
        sum.y -= i;
        sum.n++;
        if (2 * i > (far < 0 ? -far : far))
            far = -2 * i;
        if (i > further)
            further = i;
        if (i * 0.5 > real)
            real = i * 0.5;
    }
    printf("%ld %ld %d, %d %ld %g\n", sum.x, sum.y, sum.n, far, further, real);
}

static void originals(void)
{
    struct point p = {7, 3, 0};
    int wrong = 0, threads = 0;
#pragma omp parallel reduction(times : p) reduction(+ : wrong, threads)
    {
        wrong += p.x != 7 || p.y != 1;
        p.y = 2;
        threads++;
    }
    long expected = 3;
    for (int i = 0; i < threads; i++)
        expected *= 2;
    printf("originals %d %d %ld\n", wrong, p.y == expected, p.x);

    struct later all = {5};
#pragma omp parallel for reduction(merge : all)
    for (int i = 0; i < 10; i++)
        all.sum += i;
    struct list list = {3, 0};
    wrong = 0;
#pragma omp parallel for reduction(self : list) reduction(+ : wrong)
    for (int i = 0; i < 100; i++) {
        wrong += list.self != &list;
        list.length++;
    }
    printf("later %d, list %d %d\n", all.sum, list.length, wrong);
}

static void sections_of_arrays(int n)
{
    struct point a[4] = {{1, 1, 1}, {2, 2, 2}, {3, 3, 3}, {4, 4, 4}}, *p = a, long_[n];
    for (int i = 0; i < n; i++)
        long_[i] = (struct point){i, 2 * i, 1};
#pragma omp parallel for reduction(+ : a[1 : 2], long_)
    for (int i = 0; i < 100; i++) {
        a[1 + i % 2].x += i;
        long_[i % n].y -= i;
    }
#pragma omp parallel for reduction(times : p[0 : 2])
    for (int i = 0; i < 4; i++)
        p[i % 2].y *= 3;
    for (int i = 0; i < 4; i++)
        printf("%ld %ld %d;", a[i].x, a[i].y, a[i].n);
    for (int i = 0; i < n; i++)
        printf(" %ld %ld", long_[i].x, long_[i].y);
    puts("");
}

static void scopes(void)
{
    int v = 2;
#pragma omp declare reduction(inner : int : omp_out *= omp_in) initializer(omp_priv = 1)
    {
#pragma omp declare reduction(inner : int : omp_out += omp_in)
#pragma omp parallel for reduction(inner : v)
        for (int i = 0; i < 5; i++)
            v += 1;
    }
    printf("scopes %d", v);
#pragma omp parallel for reduction(inner : v)
    for (int i = 0; i < 5; i++)
        v *= 2;
    printf(" %d\n", v);
}

static void constructs(void)
{
    struct point s = {0, 1, 0};
#pragma omp parallel
    {
#pragma omp single
        {
#pragma omp taskgroup task_reduction(+ : s)
            for (int i = 0; i < 20; i++)
#pragma omp task in_reduction(+ : s) firstprivate(i)
                s.x += i;
#pragma omp taskloop reduction(+ : s)
            for (int i = 0; i < 20; i++)
                s.y += i;
        }
#pragma omp scope reduction(+ : s)
        s.n += 0;
#pragma omp sections reduction(+ : s)
        {
#pragma omp section
            s.n += 1;
#pragma omp section
            s.n += 2;
        }
    }
    printf("tasks %ld %ld, sections %d\n", s.x, s.y, s.n);
#pragma omp simd reduction(times : s)
    for (int i = 0; i < 3; i++)
        s.y *= 2;
    printf("simd %ld\n", s.y);
}

int main(void)
{
    numbers_and_structures();
    originals();
    sections_of_arrays(5);
    scopes();
    constructs();
}
