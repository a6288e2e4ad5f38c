// Wrong nests, wrong waits for other iterations, and `cancel` where it cannot stand.
// options: -fopenmp
// expect-error: loop-not-rectangular at 34
// expect-error: loop-not-rectangular at 38
// expect-error: loop-not-rectangular at 42
// expect-error: loop-not-rectangular at 46
// expect-error: conflicting-clauses at 48
// expect-error: clause-argument at 54
// expect-error: clause-argument at 55
// expect-error: clause-argument at 56
// expect-error: conflicting-clauses at 57
// expect-error: directive-placement at 61
// expect-error: directive-placement at 65
// expect-warning: clause-value at 70
// expect-warning: clause-value at 71
// expect-error: directive-placement at 76
// expect-error: directive-placement at 79
// expect-error: directive-placement at 83
// expect-error: conflicting-clauses at 85
// expect-error: directive-placement at 91
// expect-error: omp-unsupported at 96
// expect-error: omp-unsupported at 100
// expect-text: a bound of this loop is not `a * v + b` with `i`
// expect-text: `sink` names 1 iterations, and the nest has 2 loops
// expect-text: is not `j` with a constant added or subtracted
// expect-text: this is no earlier iteration
// expect-text: `omp cancel for` stands in no `for`
int x;

void wrong(int n)
{
#pragma omp parallel for collapse(2)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i * i; j++)
            x = i;
#pragma omp parallel for collapse(2)
    for (int i = 0; i < n; i++)
        for (int j = i; j < n; j += i)
            x = i;
#pragma omp parallel for collapse(2) ordered(2)
    for (int i = 0; i < n; i++)
        for (int j = i; j < n; j++)
            ;
#pragma omp parallel for collapse(3)
    for (int i = 0; i < n; i++) for (int k = 0; k < n; k++)
        for (int j = i; j < i + k; j++)
            x = i;
#pragma omp parallel for collapse(2) ordered(1)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            ;
#pragma omp parallel for ordered(2)
    for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) {
#pragma omp ordered depend(sink: i - 1)
#pragma omp ordered depend(sink: i - 1, i)
#pragma omp ordered doacross(sink: omp_cur_iteration - 2)
#pragma omp ordered depend(source) depend(source)
    }
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
#pragma omp ordered depend(source)
    }
#pragma omp parallel for ordered(1)
    for (int i = 0; i < n; i++) {
#pragma omp ordered
        x = i;
    }
#pragma omp parallel for ordered(1)
    for (int i = 0; i < n; i += 2) {
#pragma omp ordered depend(sink: i + 2)
#pragma omp ordered depend(sink: i - 3)
#pragma omp ordered doacross(sink: i - 2)
#pragma omp ordered doacross(source:)
    }

#pragma omp cancel parallel
#pragma omp parallel
    {
#pragma omp cancel for
#pragma omp critical
        {
            x++;
#pragma omp cancel parallel
        }
#pragma omp for nowait
        for (int i = 0; i < n; i++) {
#pragma omp cancel for
        }
#pragma omp single
        {
#pragma omp cancel parallel
        }
    }
#pragma omp target
    {
#pragma omp cancel parallel
    }
    int i;
#pragma omp target
#pragma omp parallel for collapse(2) lastprivate(x)
    for (i = 0; i < n; i++)
        for (int j = i; j < n; j++)
            x = j;
}
