// options: -fopenmp
// What OpenMP 5.1 and later take: sections of several statements, commas in front of the first clause,
// `destroy` with the object, assumptions of other implementations, and loops whose step has several terms.
#include <omp.h>
#include <stdio.h>

#if !__has_attribute(omp::directive) || !__has_attribute(__omp__::__sequence__) \
    || __has_attribute(omp::other) || !__has_attribute(gnu::unused) || __has_attribute(other::unused)
#error attributes of OpenMP
#endif

// Each device has its own.
static int own = 4;
#pragma omp declare target local(own)

static int on_device(void)
{
    int seen = 0;
#pragma omp target map(from: seen)
    {
        own += 3;
        seen = own;
    }
    return seen;
}

static void in_sections(void)
{
    int a = 0, b = 0, c = 0;
#pragma omp parallel sections num_threads(2)
    {
        a = 1;
        a++;
#pragma omp section
        b = 10;
        int step = 2;
        for (int i = 0; i < 3; i++)
            b += step;
#pragma omp section
        {
            c = 100;
        }
        c++;
    }
    printf("%d %d %d\n", a, b, c);
}

static int running(const int *in, int *out, int count)
{
    int sum = 0;
#pragma omp simd reduction(inscan, + : sum)
    for (int i = 0; i < count; i++) {
        out[i] = sum;
#pragma omp scan, exclusive(sum)
        sum += in[i];
    }
    return sum;
}

static int in_order(int count)
{
    int row[64] = {0};
#pragma omp parallel for ordered(1)
    for (int i = 1; i < count; i++) {
#pragma omp ordered, doacross(sink: i - 1)
        row[i] = row[i - 1] + i;
#pragma omp ordered, doacross(source:)
    }
    return row[count - 1];
}

static int until_found(void)
{
    int found = 0;
#pragma omp parallel num_threads(2)
    {
#pragma omp critical
        found = 1;
#pragma omp cancel, parallel if (found)
#pragma omp cancellation point, parallel
    }
    return found;
}

static int chained(void)
{
    int value = 0;
    omp_depend_t object;
#pragma omp depobj(object), depend(inout: value)
#pragma omp parallel num_threads(2)
#pragma omp single
    {
#pragma omp task depend(depobj: object)
        value += 3;
#pragma omp task depend(depobj: object)
        value *= 5;
    }
#pragma omp depobj(object) destroy(object)
    return value;
}

static long in_steps(int from, int to, int by, long wide)
{
    long sum = 0;
#pragma omp parallel for reduction(+ : sum)
    for (int i = from; i < to; i = i + by - 1)
        sum += i;
#pragma omp parallel for reduction(+ : sum)
    for (int i = from; i < to; i = by + 1 + i)
        sum += 3 * i;
#pragma omp target teams distribute parallel for reduction(+ : sum)
    for (long i = to; i > from; i = i - wide - by)
        sum += 7 * i;
#pragma omp target parallel for reduction(+ : sum)
    for (int i = from; i < to; i = i + by + wide)
        sum += 11 * i;
    return sum;
}

int main(void)
{
    in_sections();
    int in[5] = {1, 2, 3, 4, 5}, out[5];
#pragma omp assume ext_other_compiler(1, 2) no_parallelism, ext_another
    printf("%d ", running(in, out, 5));
    printf("%d %d\n", out[0], out[4]);
    printf("%d %d %d\n", in_order(40), until_found(), chained());
    printf("%ld %ld %d\n", in_steps(3, 90, 5, 2), in_steps(-10, 10, 3, 1), on_device());
    return 0;
}
