// options: -fopenmp
// Declared reductions of loops with no, one and many iterations: by operators on members, by choices, by functions that
// are called, and from what the original has.
#include <float.h>
#include <stdio.h>

struct complex {
    double re, im;
};
struct best {
    double value;
    int index;
};
struct mixed {
    short count;
    char tag[5];
    float sum[3];
    long most;
};

#pragma omp declare reduction(+ : struct complex : omp_out.re += omp_in.re, omp_out.im = omp_in.im + omp_out.im)
#pragma omp declare reduction(best : struct best : omp_out = \
    omp_in.value < omp_out.value || (omp_in.value == omp_out.value && omp_in.index < omp_out.index) \
    ? omp_in : omp_out) initializer(omp_priv = {DBL_MAX, -1})
#pragma omp declare reduction(most : int : omp_out = omp_in > omp_out ? omp_in : omp_out) \
    initializer(omp_priv = omp_orig)

static void join(struct mixed *out, const struct mixed *in)
{
    out->count += in->count;
    for (int k = 0; k < 3; k++)
        out->sum[k] += in->sum[k];
    if (in->most > out->most) {
        out->most = in->most;
        out->tag[0] = in->tag[0];
    }
}

static void clear(struct mixed *m)
{
    *m = (struct mixed){.tag = "?", .most = -1};
}
#pragma omp declare reduction(join : struct mixed : join(&omp_out, &omp_in)) initializer(clear(&omp_priv))

static void add(int i, struct complex *sum, struct best *best, struct mixed *m)
{
    double value = (i * 7919) % 1009;
    long most = (i * 31) % 997;
    sum->re += i;
    sum->im -= 1;
    if (value < best->value)
        *best = (struct best){value, i};
    m->count++;
    m->sum[i % 3] += 1;
    if (most > m->most) {
        m->most = most;
        m->tag[0] = 'a' + most % 26;
    }
}

int main(void)
{
    for (int n = 0; n < 2000; n = n * 4 + 1) {
        struct complex sum = {1, 2}, all_sum = sum;
        struct best best = {DBL_MAX, -1}, all_best = best;
        struct mixed mixed = {3, "ab", {1, 2, 3}, -1}, all_mixed = mixed;
        int most = 5;
#pragma omp target teams distribute parallel for reduction(+ : sum) reduction(best : best) reduction(join : mixed)
        for (int i = 0; i < n; i++)
            add(i, &sum, &best, &mixed);
#pragma omp target teams distribute parallel for reduction(most : most)
        for (int i = 0; i < n; i++)
            if (i > most)
                most = i;
        for (int i = 0; i < n; i++)
            add(i, &all_sum, &all_best, &all_mixed);
        printf("%d: %g %g, %g %d, %d %s %g %g %g %ld, %d", n, sum.re, sum.im, n ? best.value : 0, best.index,
            mixed.count, mixed.tag, mixed.sum[0], mixed.sum[1], mixed.sum[2], mixed.most, most);
        int same = sum.re == all_sum.re && sum.im == all_sum.im && best.value == all_best.value &&
            best.index == all_best.index && mixed.count == all_mixed.count && mixed.most == all_mixed.most &&
            mixed.tag[0] == all_mixed.tag[0];
        printf(same ? "\n" : ": wrong\n");
    }
}
