/* Module @k: integration by sampling, with a generator that depends on the index only. */
#pragma acc routine seq
unsigned long long mix_@k(unsigned long long z)
{
    z += 0x9e3779b97f4a7c15ull * @c;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ z >> 27) * 0x94d049bb133111ebull;
    return z ^ z >> 31;
}

#pragma acc routine seq
double curve_@k(double x)
{
    double y = 1;
    for (int i = 0; i < @c; i++)
        y = x * y + 1.0 / (i + 1);
    return y;
}

double area_@k(int n)
{
    double sum = 0;
#pragma acc parallel loop gang vector reduction(+:sum)
    for (int i = 0; i < n; i++) {
        double x = (i + (mix_@k(i) >> 11) * 0x1p-53) / n;
        sum += curve_@k(x);
    }
    return sum / n;
}

int inside_@k(int n)
{
    int hits = 0;
#pragma acc kernels loop independent reduction(+:hits)
    for (int i = 0; i < n; i++) {
        double x = (mix_@k(2 * i) >> 11) * 0x1p-53, y = (mix_@k(2 * i + 1) >> 11) * 0x1p-53;
        hits += x * x + y * y < 1;
    }
    return hits;
}

int test_@k(void)
{
    double exact = 0, area = area_@k(20 * @n);
    for (int i = 0; i < 20 * @n; i++)
        exact += curve_@k((i + 0.5) / (20 * @n));
    exact /= 20 * @n;
    int hits = inside_@k(20 * @n);
    if (fabs(area - exact) > 0.02 * exact || fabs(4.0 * hits / (20 * @n) - acos(-1)) > 0.3) {
        fprintf(stderr, "module @k: area %g, exact %g, %d hits\n", area, exact, hits);
        return 1;
    }
    return 0;
}
