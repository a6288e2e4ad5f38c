// Wrong uses of threads and tasks, and what is not supported: each is an error at its place.
// options: -fopenmp
// expect-error: directive-placement at 30
// expect-error: directive-placement at 32
// expect-error: data-item at 34
// expect-error: default-none at 37
// expect-error: clause-not-allowed at 38
// expect-error: unknown-clause at 40
// expect-error: unsupported-directive at 43
// expect-error: unknown-modifier at 46
// expect-error: clause-not-allowed at 49
// expect-error: directive-placement at 52
// expect-error: clause-not-allowed at 55
// expect-text: `ordered` stands in no loop
// expect-error: mapper at 58
// expect-text: write `shared(x)` or `firstprivate(x)`
// expect-text: `uses_allocators` is not valid on
// expect-error: omp-unsupported at 59
// expect-error: omp-unsupported at 61




int plain, x;

void wrong(int n)
{
#pragma omp for
    for (int i = 0; i < n; i++)
#pragma omp ordered
        x++;
#pragma omp section
    x++;
#pragma omp parallel copyin(plain)
    x++;
#pragma omp parallel default(none)
    x++;
#pragma omp parallel nowait
    x++;
#pragma omp task firstprivat(n)
    x += n;
#pragma omp parallel
#pragma omp interop
    x++;

#pragma omp parallel for lastprivate(condition : x)
    for (int i = 0; i < n; i++)
        x = i;
#pragma omp parallel for uses_allocators(x)
    for (int i = 0; i < n; i++)
        x = i;
#pragma omp parallel for reduction(inscan, + : x)
    for (int i = 0; i < n; i++)
        x += i;
#pragma omp taskwait nowait

    ;
#pragma omp declare mapper(struct part p) map(p)
#pragma omp target map(iterator(i = 0 : n), to : plain)
    ;
#pragma omp target update from(iterator(i = 0 : n) : plain)
}
