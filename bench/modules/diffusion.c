/* Module @k: explicit diffusion on a ring, until the heat is even. */
double heat_@k(const double *u, int n)
{
    double total = 0;
#pragma acc parallel loop gang vector reduction(+:total) present(u[0:n])
    for (int i = 0; i < n; i++)
        total += u[i];
    return total;
}

void step_@k(const double *from, double *to, int n, double rate)
{
#pragma acc parallel loop present(from[0:n], to[0:n])
    for (int i = 0; i < n; i++) {
        int left = i == 0 ? n - 1 : i - 1, right = i == n - 1 ? 0 : i + 1;
        to[i] = from[i] + rate * (from[left] - 2 * from[i] + from[right]);
    }
}

int even_@k(double *u, int n, double tolerance)
{
    double *v = malloc(n * sizeof *v), largest = tolerance + 1;
    int steps = 0;
    if (!v)
        return -1;
#pragma acc data copy(u[0:n]) create(v[0:n])
    {
        double mean = heat_@k(u, n) / n;
        while (largest > tolerance && steps < 20000) {
            for (int k = 0; k < @c; k++) {
                step_@k(u, v, n, 0.25);
                step_@k(v, u, n, 0.25);
            }
            largest = 0;
#pragma acc parallel loop reduction(max:largest) present(u[0:n])
            for (int i = 0; i < n; i++)
                largest = fmax(largest, fabs(u[i] - mean));
            steps += 2 * @c;
        }
    }
    free(v);
    return steps;
}

int test_@k(void)
{
    double u[@n];
    for (int i = 0; i < @n; i++)
        u[i] = i < @n / 2 ? 1 : 0;
    int steps = even_@k(u, @n, 0.3);
    if (steps <= 0 || steps >= 20000 || fabs(u[0] - 0.5) > 0.35) {
        fprintf(stderr, "module @k: %d steps, %g\n", steps, u[0]);
        return 1;
    }
    return 0;
}
