/* Module @k: mean, spread and extremes of a sample. */
struct summary_@k {
    double mean, deviation, low, high;
    int outliers;
};

void fill_@k(double *sample, int n)
{
    unsigned state = @k + 1;
    for (int i = 0; i < n; i++) {
        state = state * 1103515245u + 12345u;
        sample[i] = (state >> 16 & 1023) * 0.125 - @c;
    }
}

struct summary_@k summarise_@k(const double *sample, int n)
{
    struct summary_@k s = {0, 0, sample[0], sample[0], 0};
    double sum = 0, squares = 0, low = sample[0], high = sample[0];
    int outliers = 0;
#pragma acc parallel loop reduction(+:sum) reduction(min:low) reduction(max:high) copyin(sample[0:n])
    for (int i = 0; i < n; i++) {
        sum += sample[i];
        low = fmin(low, sample[i]);
        high = fmax(high, sample[i]);
    }
    s.mean = sum / n;
    double mean = s.mean;
#pragma acc parallel loop reduction(+:squares, outliers) copyin(sample[0:n])
    for (int i = 0; i < n; i++) {
        double distance = sample[i] - mean;
        squares += distance * distance;
        if (fabs(distance) > 10 * @c)
            outliers++;
    }
    s.deviation = sqrt(squares / n);
    s.low = low;
    s.high = high;
    s.outliers = outliers;
    return s;
}

int test_@k(void)
{
    double sample[@n], sum = 0, squares = 0;
    int outliers = 0;
    fill_@k(sample, @n);
    struct summary_@k s = summarise_@k(sample, @n);
    for (int i = 0; i < @n; i++)
        sum += sample[i];
    for (int i = 0; i < @n; i++) {
        double distance = sample[i] - sum / @n;
        squares += distance * distance;
        outliers += fabs(distance) > 10 * @c;
    }
    if (fabs(s.mean - sum / @n) > 1e-9 || fabs(s.deviation - sqrt(squares / @n)) > 1e-9 || s.outliers != outliers) {
        fprintf(stderr, "module @k: mean %g, deviation %g, outliers %d\n", s.mean, s.deviation, s.outliers);
        return 1;
    }
    return s.low > s.high;
}
