/* What constructs of OpenMP's threads and tasks cost. `threads THREADS [NAME...]` prints a line for each of them: its name, nanoseconds for
   one, the shortest of some rounds, and a number that says whether all was executed. Bodies are next to empty, so that the construct is what is measured. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PLACES = 64, ROUNDS = 7 };

static int threads;
static unsigned long places[PLACES];
static long done;

static void work(unsigned long *place)
{
#pragma omp atomic
    *place += 1;
}

static long plain(long count)
{
    for (long i = 0; i < count; i++)
#pragma omp task firstprivate(i)
        work(&places[i % PLACES]);
    return count;
}

static long undeferred(long count)
{
    for (long i = 0; i < count; i++)
#pragma omp task firstprivate(i) if (0)
        work(&places[i % PLACES]);
    return count;
}

static long one_dependence(long count)
{
    for (long i = 0; i < count; i++)
#pragma omp task firstprivate(i) depend(inout : places[i % PLACES])
        places[i % PLACES]++;
    return count;
}

static long four_dependences(long count)
{
    for (long i = 0; i < count; i++) {
        long a = i % PLACES, b = (i + 1) % PLACES, c = (i + 2) % PLACES, d = (i + 7) % PLACES;
#pragma omp task firstprivate(d) depend(in : places[a], places[b], places[c]) depend(inout : places[d])
        places[d]++;
    }
    return count;
}

static long chain(long count)
{
    for (long i = 0; i < count; i++)
#pragma omp task depend(inout : places[0])
        places[0]++;
    return count;
}

/* One task, 30 that depend on it, one that depends on these. */
static long fan(long count)
{
    for (long i = 0; i < count / 32; i++) {
#pragma omp task depend(out : places[0])
        places[0]++;
        for (int k = 1; k <= 30; k++)
#pragma omp task firstprivate(k) depend(in : places[0]) depend(out : places[k])
            places[k]++;
#pragma omp task depend(inout : places[0])
        places[0]++;
    }
    return count / 32 * 32;
}

static long fib(int n)
{
    long a, b;
    if (n < 2)
        return n;
#pragma omp task shared(a)
    a = fib(n - 1);
#pragma omp task shared(b)
    b = fib(n - 2);
#pragma omp taskwait
    return a + b;
}

/* 21890 tasks. */
static long recursion(long count)
{
    long tasks = 0;
    while (tasks < count) {
        places[0] += (unsigned long)fib(20);
        tasks += 2 * 10945;
    }
    return tasks;
}

static void tree(int depth)
{
    work(&places[depth]);
    if (depth > 0)
        for (int k = 0; k < 2; k++)
#pragma omp task firstprivate(depth)
            tree(depth - 1);
}

/* Tasks that create tasks for which nobody waits. */
static long unfolding(long count)
{
    long tasks = 0;
    while (tasks < count) {
        tree(13);
        tasks += (1 << 14) - 2;
    }
    return tasks;
}

static long taskgroup(long count)
{
    for (long i = 0; i < count / 4; i++)
#pragma omp taskgroup
        for (int k = 0; k < 4; k++)
#pragma omp task firstprivate(k)
            work(&places[k]);
    return count / 4 * 4;
}

static long taskloop(long count)
{
#pragma omp taskloop grainsize(1)
    for (long i = 0; i < count; i++)
        work(&places[i % PLACES]);
    return count;
}

/* Tasks of about a microsecond. */
static long with_work(long count)
{
    for (long i = 0; i < count; i++)
#pragma omp task firstprivate(i)
    {
        unsigned long x = (unsigned long)i;
        for (int k = 0; k < 1000; k++)
            x = x * 6364136223846793005ul + 1442695040888963407ul;
        work(&places[x % PLACES]);
    }
    return count;
}

static long parallel(long count)
{
    for (long i = 0; i < count; i++)
#pragma omp parallel num_threads(threads)
    {
        if (omp_get_thread_num() == 0)
            places[0]++;
    }
    return count;
}

static long parallel_sum(long count)
{
    for (long i = 0; i < count; i++) {
        unsigned long sum = 0;
#pragma omp parallel num_threads(threads) reduction(+ : sum)
        sum += 1;
        places[0] += sum;
    }
    return count;
}

/* What the threads of one team do `count` times. */
static long barrier(long count)
{
    for (long i = 0; i < count; i++) {
#pragma omp barrier
    }
    return count;
}

static long loop_static(long count)
{
    for (long i = 0; i < count; i++)
#pragma omp for schedule(static)
        for (int k = 0; k < PLACES; k++)
            places[k]++;
    return count;
}

static long loop_dynamic(long count)
{
#pragma omp for schedule(dynamic)
    for (long i = 0; i < count; i++)
        work(&places[i % PLACES]);
    return count;
}

static long loop_guided(long count)
{
    for (long i = 0; i < count; i++)
#pragma omp for schedule(guided)
        for (int k = 0; k < PLACES; k++)
            places[k]++;
    return count;
}

static long loop_sum(long count)
{
    static unsigned long sum;
    for (long i = 0; i < count; i++)
#pragma omp for reduction(+ : sum)
        for (int k = 0; k < PLACES; k++)
            sum += places[k];
    return count;
}

static long single(long count)
{
    for (long i = 0; i < count; i++)
#pragma omp single
        places[0]++;
    return count;
}

static long critical(long count)
{
    for (long i = 0; i < count; i++)
#pragma omp critical
        places[0]++;
    return count;
}

static long ordered(long count)
{
#pragma omp for ordered schedule(dynamic)
    for (long i = 0; i < count; i++)
#pragma omp ordered
        places[0]++;
    return count;
}

static long lock(long count)
{
    static omp_lock_t lock;
    static int is_there;
#pragma omp single
    if (!is_there++)
        omp_init_lock(&lock);
    for (long i = 0; i < count; i++) {
        omp_set_lock(&lock);
        places[0]++;
        omp_unset_lock(&lock);
    }
    return count;
}

enum how { ALONE, TASKS, TEAM };

static const struct {
    const char *name;
    enum how how;
    long count;
    long (*code)(long);
} CASES[] = {
    {"parallel", ALONE, 2000, parallel},
    {"parallel-reduction", ALONE, 2000, parallel_sum},
    {"barrier", TEAM, 2000, barrier},
    {"for-static", TEAM, 2000, loop_static},
    {"for-dynamic", TEAM, 20000, loop_dynamic},
    {"for-guided", TEAM, 2000, loop_guided},
    {"for-reduction", TEAM, 2000, loop_sum},
    {"single", TEAM, 2000, single},
    {"critical", TEAM, 20000, critical},
    {"lock", TEAM, 20000, lock},
    {"ordered", TEAM, 5000, ordered},
    {"task", TASKS, 20000, plain},
    {"task-if-0", TASKS, 20000, undeferred},
    {"task-1-depend", TASKS, 20000, one_dependence},
    {"task-4-depend", TASKS, 2000, four_dependences},
    {"task-chain", TASKS, 20000, chain},
    {"task-fan", TASKS, 2000, fan},
    {"task-fib", TASKS, 20000, recursion},
    {"task-tree", TASKS, 20000, unfolding},
    {"taskgroup", TASKS, 20000, taskgroup},
    {"taskloop", TASKS, 20000, taskloop},
    {"task-1us", TASKS, 2000, with_work},
};

/* Executes a case once; its constructs. */
static long execute(int number)
{
    long count = CASES[number].count;
    long (*code)(long) = CASES[number].code;
    if (CASES[number].how == ALONE)
        return code(count);

#pragma omp parallel num_threads(threads)
    if (CASES[number].how == TEAM) {
        long made = code(count);
#pragma omp atomic write
        done = made;
    } else {
#pragma omp single
        done = code(count);
    }
    return done;
}

static int is_wanted(const char *name, int argc, char **argv)
{
    for (int at = 2; at < argc; at++)
        if (!strcmp(name, argv[at]))
            return 1;
    return argc <= 2;
}

int main(int argc, char **argv)
{
    threads = argc > 1 ? atoi(argv[1]) : 2;
    for (int number = 0; number < (int)(sizeof CASES / sizeof *CASES); number++) {
        if (!is_wanted(CASES[number].name, argc, argv))
            continue;
        double shortest = 1e9;
        unsigned long sum = 0;
        memset(places, 0, sizeof places);
        for (int round = 0; round < ROUNDS; round++) {
            double start = omp_get_wtime();
            long count = execute(number);
            double each = (omp_get_wtime() - start) / (double)count;
            shortest = each < shortest ? each : shortest;
        }
        for (int k = 0; k < PLACES; k++)
            sum = sum * 31 + places[k];
        printf("%s %.1f %lu\n", CASES[number].name, shortest * 1e9, sum);
        fflush(stdout);
    }
    return 0;
}
