// options: -fopenmp
// What a function that a device calls is told of the threads that share its `parallel for`, and the bounds of these.
#include <omp.h>
#include <stdio.h>

enum { N = 500, TEAMS = 3 };

#pragma omp declare target
/* How often a thread has got its own number, one of those that there are. */
static int numbers(int *seen, int n)
{
    int right = 0;
#pragma omp parallel for reduction(+ : right)
    for (int i = 0; i < n; i++) {
        int t = omp_get_thread_num(), all = omp_get_num_threads();
        right += t >= 0 && t < all && omp_in_parallel() >= (all > 1);
        seen[i] = t;
    }
    return right;
}

static int asked(int i)
{
    return omp_get_thread_num() >= 0 && omp_get_thread_num() < omp_get_num_threads() ? i : -1;
}

static long called(int n)
{
    long all = 0;
#pragma omp parallel for reduction(+ : all)
    for (int i = 0; i < n; i++)
        all += asked(i);
    return all;
}

/* At most so many threads, whatever the launch has. */
static int bounded(int most, int *seen, int n)
{
    int wrong = 0;
#pragma omp parallel for num_threads(most) reduction(+ : wrong)
    for (int i = 0; i < n; i++) {
        seen[i] = omp_get_thread_num();
        wrong += omp_get_num_threads() > most || omp_get_thread_num() >= most;
    }
    return wrong;
}

static int in_order(int n)
{
    int last = -1, wrong = 0;
#pragma omp parallel for if (n < 0) shared(last) reduction(+ : wrong)
    for (int i = 0; i < n; i++) {
        wrong += last != i - 1;
        last = i;
    }
    return wrong;
}

/* Iterations of a chunk are those of one thread. */
static int chunks(int *to, int n)
{
    int wrong = 0;
#pragma omp parallel for schedule(static, 4)
    for (int i = 0; i < n; i++)
        to[i] = omp_get_thread_num();
    for (int i = 0; i < n; i++)
        wrong += to[i] != to[i - i % 4];
    return wrong;
}

/* The loop inside has one thread: the one around has them all. */
static int nested(int *to, int n)
{
    int wrong = 0;
#pragma omp parallel for reduction(+ : wrong)
    for (int i = 0; i < n; i++) {
        int sum = 0;
#pragma omp parallel for num_threads(1) reduction(+ : sum)
        for (int j = 0; j < 5; j++)
            sum += j + omp_get_thread_num();
        wrong += sum != 10;
        to[i] = sum;
    }
    return wrong;
}
#pragma omp end declare target

static int out[TEAMS][8], seen[TEAMS][N];

static void show(void)
{
    for (int g = 0; g < TEAMS; g++)
        for (int k = 0; k < 8; k++)
            printf("%d%c", out[g][k], k == 7 ? '\n' : ' ');
}

int main(void)
{
#pragma omp target teams distribute map(tofrom : out, seen)
    for (int g = 0; g < TEAMS; g++) {
        out[g][0] = numbers(seen[g], N);
        out[g][1] = called(N);
        out[g][2] = bounded(7, seen[g], N) + bounded(1, seen[g], N) + bounded(300, seen[g], N);
        out[g][3] = in_order(N);
        out[g][4] = chunks(seen[g], N);
        out[g][5] = nested(seen[g], N);
        out[g][6] = omp_get_num_threads() + omp_get_thread_num();
    }
    show();
#pragma omp target teams distribute parallel for num_threads(64) map(tofrom : out, seen)
    for (int g = 0; g < TEAMS; g++) {
        out[g][0] = N;
        out[g][2] = bounded(7, seen[g], N) + bounded(1, seen[g], N) + bounded(300, seen[g], N);
        out[g][3] = in_order(N);
        out[g][4] = chunks(seen[g], N);
        out[g][5] = nested(seen[g], N);
    }
    show();
#pragma omp target thread_limit(1) map(tofrom : out, seen)
    {
        out[0][0] = numbers(seen[0], N);
        out[0][1] = called(N);
        out[0][2] = bounded(7, seen[0], N);
        out[0][4] = chunks(seen[0], N);
    }
    show();
}
