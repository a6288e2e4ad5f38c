// Constructs that must not stand in each other: the message names both places.
// options: -fopenmp
// expect-error: construct-nesting at 21
// expect-error: construct-nesting at 26
// expect-error: construct-nesting at 33
// expect-error: construct-nesting at 40
// expect-error: construct-nesting at 46
// expect-error: unknown-modifier at 49
// expect-text: `omp barrier` inside of `omp parallel for`
// expect-text: those that do would wait for ever
// expect-text: `omp single` inside of `omp task`
// expect-text: `omp critical` inside of one of the same name
// expect-text: in `teams` stand `distribute`, `parallel` and `loop`
// expect-text: the construct around it
int x, a[10];

void wrong(void)
{
#pragma omp parallel for
    for (int i = 0; i < 10; i++) {
#pragma omp barrier
        a[i] = i;
    }
#pragma omp parallel
#pragma omp task
#pragma omp single
    x++;

#pragma omp parallel
#pragma omp critical(one)
    {
#pragma omp critical(other)
#pragma omp critical(one)
        x++;
    }

#pragma omp target teams
    {
        a[0] = 1;
#pragma omp masked
        a[1] = 1;
    }

#pragma omp simd
    for (int i = 0; i < 10; i++) {
#pragma omp critical
        x++;
    }
#pragma omp taskwait depend(mutexinoutset: x)
}

int main(void)
{
    wrong();
}
