// options: -fopenmp OMP_CANCELLATION=true
// Constructs within each other that have little to do with each other: last assignments and `scan` in nests that are
// no boxes, in teams of a league, and in what is cancelled.
#include <omp.h>
#include <stdio.h>

static int in[400], before[60][60];

static void last_of_nests(int n)
{
    int last = -1, lane = -2, chain = -3;
#pragma omp parallel for collapse(2) lastprivate(conditional : last)
    for (int i = 0; i < n; i++)
        for (int j = i; j < 2 * i; j++)
            if ((i + j) % 7 == 3)
                last = 100 * i + j;
    int sum = 0, kept = 0;
#pragma omp simd collapse(2) reduction(inscan, + : sum) lastprivate(conditional : lane)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++) {
            before[i][j] = sum;
            if (sum % 5 == 2)
                lane = sum;
#pragma omp scan exclusive(sum)
            sum += in[i + j];
        }
#pragma omp parallel for ordered(2) lastprivate(conditional : chain)
    for (int i = 1; i < n; i++)
        for (int j = 1; j < n; j++) {
#pragma omp ordered depend(sink : i - 1, j) depend(sink : i, j - 1)
            if ((i * j) % 11 == 5)
                chain = in[i] + in[j];
#pragma omp ordered depend(source)
        }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++)
            kept = kept * 3 % 10007 + before[i][j];
    printf("%d %d %d %d %d\n", last, sum, kept, lane, chain);
}

struct best {
    int value, at;
};

#pragma omp declare reduction(best : struct best : omp_out = omp_in.value > omp_out.value ? omp_in : omp_out) \
    initializer(omp_priv = {-1, -1})

static void leagues(int n)
{
    struct best found = {-1, -1}, shared = {-1, -1};
    int last = 0;
#pragma omp teams distribute num_teams(3) reduction(best : found) dist_schedule(static, 7) lastprivate(last)
    for (int i = 0; i < n; i++) {
        if (in[i] > found.value)
            found = (struct best){in[i], i};
        last = i;
    }
#pragma omp teams distribute parallel for num_teams(3) reduction(best : shared) collapse(2)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++)
            if (in[i] - j > shared.value)
                shared = (struct best){in[i] - j, i};
    printf("%d %d %d %d %d\n", found.value, in[found.at], last, shared.value, in[shared.at]);
}

// A cancelled region leaves no memory behind for the next one.
static void cancelled(int n)
{
    int last = -1, all = -1, behind = 0, skipped = 0;
#pragma omp parallel for lastprivate(conditional : last) schedule(static, 4)
    for (int i = 0; i < n; i++) {
#pragma omp cancel for
        last = 6;
    }
#pragma omp parallel num_threads(4) reduction(+ : behind)
    {
#pragma omp for lastprivate(conditional : all) schedule(dynamic)
        for (int i = 0; i < n; i++)
            all = i;
#pragma omp cancel parallel
        behind++;
    }
    // Threads that come late to a loop do not take part in it.
#pragma omp parallel num_threads(4)
    {
        if (omp_get_thread_num() == omp_get_num_threads() - 1) {
#pragma omp cancel parallel
        }
#pragma omp for lastprivate(conditional : all)
        for (int i = 0; i < n; i++)
            if (in[i] < 0)
                all = i;
#pragma omp atomic
        behind++;
    }
    printf("%d %d %d", last, all, behind);
    // A task that would be executed at once has not begun either.
#pragma omp parallel num_threads(2)
#pragma omp single
#pragma omp taskgroup
    {
#pragma omp task shared(skipped) if (0)
        {
#pragma omp cancel taskgroup
            skipped += 100;
        }
#pragma omp task shared(skipped) if (0)
        skipped++;
#pragma omp task shared(skipped) final(1)
        {
#pragma omp task shared(skipped)
            skipped++;
        }
    }
    int sum = 0, seen = 0;
#pragma omp parallel for reduction(inscan, + : sum) reduction(+ : seen)
    for (int i = 0; i < n; i++) {
        sum += in[i];
#pragma omp scan inclusive(sum)
        seen += sum & 1;
    }
    printf(" %d %d %d\n", skipped, sum, seen);
}

int main(void)
{
    for (int i = 0; i < 400; i++)
        in[i] = i * 37 % 211;
    for (int n = 0; n < 60; n += 19) {
        last_of_nests(n);
        if (n)
            leagues(n);
        cancelled(n);
    }
}
