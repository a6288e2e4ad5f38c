// What belongs to all threads and what to each, in clauses that need the one or the other; clauses that exclude each other.
// options: -fopenmp
// expect-error: data-item at 23
// expect-error: data-item at 25
// expect-error: data-item at 29
// expect-error: data-item at 34
// expect-error: data-item at 37
// expect-error: data-item at 40
// expect-error: data-item at 45
// expect-error: conflicting-clauses at 48
// expect-error: conflicting-clauses at 53
// expect-error: conflicting-clauses at 56
// expect-text: `shared` in `copyprivate`: all threads share it
// expect-text: `own` in `lastprivate`: each thread of the `parallel` has its own
int common;

void wrong(int n)
{
    int shared = 0, own = 0, first = 0;
#pragma omp parallel private(own) firstprivate(first)
    {
        int local = 0;
#pragma omp single copyprivate(shared)
        shared = 1;
#pragma omp single copyprivate(own, common)
        own = common = 1;
        // A static variable is one for all threads.
        static int kept;
#pragma omp single copyprivate(kept, local)
        kept = local = 1;
#pragma omp for reduction(+ : kept)
        for (int i = 0; i < n; i++)
            kept += i;
#pragma omp for lastprivate(own)
        for (int i = 0; i < n; i++)
            own = i;
#pragma omp for reduction(+ : local)
        for (int i = 0; i < n; i++)
            local += i;
#pragma omp sections reduction(+ : first)
        {
            first++;
        }
        // Copies of another construct than the team's are others.
#pragma omp scope reduction(max : own)
        own = n;
        own++;
#pragma omp single copyprivate(own) nowait
        own = 1;
    }
#pragma omp parallel
#pragma omp single
#pragma omp taskloop grainsize(2) num_tasks(3)
    for (int i = 0; i < n; i++)
        ;
#pragma omp taskloop reduction(+ : shared) nogroup
    for (int i = 0; i < n; i++)
        shared += i;
}

void right(int n, int mine)
{
    int shared = 0;
#pragma omp single copyprivate(mine)
    mine = 1;
#pragma omp parallel
    {
        int *p = &shared;
#pragma omp for reduction(+ : p[0:1])
        for (int i = 0; i < n; i++)
            p[0] += i;
#pragma omp for simd lastprivate(shared)
        for (mine = 0; mine < n; mine++)
            shared = mine;
    }
#pragma omp parallel private(mine)
#pragma omp parallel for reduction(+ : mine)
    for (int i = 0; i < n; i++)
        mine += i;
}
