// options: -fopenmp OMP_CANCELLATION=true
// `cancel` and `cancellation point` of regions, loops, sections and groups of tasks: who is cancelled leaves, and
// what comes behind is executed.
#include <omp.h>
#include <stdio.h>

static void regions(void)
{
    int entered = 0, behind = 0, left = 0;
#pragma omp parallel num_threads(4) shared(entered, behind, left)
    {
#pragma omp atomic
        entered++;
#pragma omp barrier
        if (omp_get_thread_num() == omp_get_num_threads() - 1) {
#pragma omp cancel parallel
#pragma omp atomic
            behind++;
        }
        // Those who wait here for the others leave, too.
#pragma omp barrier
#pragma omp atomic
        behind++;
#pragma omp single
        behind++;
    }
    printf("%d %d\n", entered == 4 || entered == 1, behind);
    // The next region of the team is not cancelled.
#pragma omp parallel num_threads(4) reduction(+ : left)
    {
#pragma omp cancellation point parallel
#pragma omp cancel parallel if (entered < 0)
#pragma omp barrier
        left++;
    }
    printf("%d\n", left == entered);
}

static void loops(int n)
{
    int found = -1, after = 0, seen = 0;
#pragma omp parallel shared(found, after)
    {
#pragma omp for schedule(dynamic, 3)
        for (int i = 0; i < n; i++) {
#pragma omp cancellation point for
            if (i % 97 == 96) {
#pragma omp atomic write
                found = i;
#pragma omp cancel for
            }
            if (i > n / 2) {
                // Some thread has found it by then, or finds it soon.
#pragma omp cancellation point for
            }
        }
#pragma omp for reduction(+ : after)
        for (int i = 0; i < n; i++) {
#pragma omp cancel for if (cancel : found < 0)
            after++;
        }
    }
    printf("%d %d\n", found % 97, after);
    // All iterations are cancelled, whatever the schedule.
#pragma omp parallel for schedule(static)
    for (int i = 0; i < n; i++) {
#pragma omp cancel for
        seen++;
    }
#pragma omp parallel for collapse(2) schedule(guided)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < 3; j++) {
#pragma omp cancel for
            seen++;
        }
    printf("%d\n", seen);
}

static void blocks(void)
{
    int done = 0, wrong = 0;
#pragma omp parallel num_threads(2)
    {
#pragma omp sections
        {
#pragma omp section
            {
#pragma omp atomic
                done++;
#pragma omp cancel sections
#pragma omp atomic
                wrong++;
            }
#pragma omp section
            {
#pragma omp cancellation point sections
#pragma omp cancel sections
#pragma omp atomic
                wrong++;
            }
        }
#pragma omp sections
        {
#pragma omp section
#pragma omp atomic
            done += 10;
#pragma omp section
#pragma omp atomic
            done += 100;
        }
    }
    printf("%d %d\n", done % 110 <= 1 && done >= 110, wrong);
}

static int depth_first(int depth, int *first)
{
    int nodes = 1;
    if (depth == 0) {
#pragma omp atomic write
        *first = 1;
        return nodes;
    }
    for (int i = 0; i < 2; i++) {
#pragma omp task firstprivate(depth)
        {
            depth_first(depth - 1, first);
            int stop;
#pragma omp atomic read
            stop = *first;
#pragma omp cancel taskgroup if (stop)
        }
    }
#pragma omp taskwait
    return nodes;
}

static void groups(void)
{
    int first = 0, begun = 0, behind = 0, waited = 0;
#pragma omp parallel num_threads(4)
#pragma omp single
    {
#pragma omp taskgroup
        depth_first(10, &first);
        // Tasks that have not begun when the group is cancelled are not executed.
#pragma omp taskgroup
        {
#pragma omp task shared(begun, behind) depend(out : begun)
            {
                begun++;
#pragma omp cancel taskgroup
                behind++;
            }
            for (int i = 0; i < 50; i++) {
#pragma omp task shared(begun, behind) depend(inout : begun)
                begun++;
            }
        }
        // Others are.
#pragma omp taskgroup
        for (int i = 0; i < 20; i++) {
#pragma omp task shared(waited)
            {
#pragma omp cancellation point taskgroup
#pragma omp atomic
                waited++;
            }
        }
    }
    printf("%d %d %d %d\n", first, begun, behind, waited);
    long rounds = 0;
#pragma omp parallel
#pragma omp single
#pragma omp taskloop grainsize(1) shared(rounds)
    for (int i = 0; i < 100; i++) {
#pragma omp cancel taskgroup
        rounds++;
    }
    printf("%ld\n", rounds);
}

// Tasks of a cancelled region that have not begun are not executed either.
static void tasks_of_regions(void)
{
    int after = 0;
#pragma omp parallel num_threads(3)
    {
        int value = 0;
#pragma omp single copyprivate(value)
        {
            value = 7;
            int chain = 0;
#pragma omp task shared(after) depend(out : chain)
            {
#pragma omp atomic
                after++;
            }
        }
#pragma omp cancel parallel
#pragma omp atomic
        after += 1000;
    }
    printf("%d\n", after <= 1);
}

int main(void)
{
    printf("%d\n", omp_get_cancellation());
    for (int round = 0; round < 3; round++) {
        regions();
        loops(1000);
        blocks();
        groups();
        tasks_of_regions();
    }
    return 0;
}
