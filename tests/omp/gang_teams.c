// options: -fopenmp
// A `parallel` in `target` that is more than loops has as many threads as it asks for, on every device: they
// meet at barriers, share variables of the team and divide loops, sections and blocks.
#include <omp.h>
#include <stdio.h>

#define N 1000

struct pair {
    int key, at;
};
#pragma omp declare reduction(nearest : struct pair : omp_out = omp_in.key < omp_out.key ? omp_in : omp_out) \
    initializer(omp_priv = { 1 << 30, 0 })

#pragma omp declare target
/* Called by all threads of a team, or by the only one. */
static void fill(int *a, int n)
{
#pragma omp for
    for (int i = 0; i < n; i++)
        a[i] += omp_get_thread_num() + 1;
#pragma omp single
    a[n]++;
#pragma omp barrier
    if (omp_get_thread_num() == omp_get_num_threads() - 1)
        a[n + 1] = a[0] + a[n];
}
#pragma omp end declare target

static int wrong;

static void check(const char *what, int threads, long got, long wanted)
{
    if (got != wanted) {
        printf("%s with %d threads: %ld, not %ld\n", what, threads, got, wanted);
        wrong++;
    }
}

static int key(int i)
{
    return (i * 7919 + 13) % 1009;
}

static void everything(int threads)
{
    static int a[N + 2], b[N], owner[N], chunk[N];
    int seen = 0, parts = 0, last = -1, singles = 0, copied = 0, team = 0, level = 0, inner = 0;
    int excluded[2] = { 0 };
    double sum = 0;
    long product = 1;
    int least = 1 << 30;
    struct pair best = { 1 << 30, 0 };
    for (int i = 0; i < N + 2; i++)
        a[i] = 0;
    for (int i = 0; i < N; i++)
        b[i] = 0, owner[i] = chunk[i] = -1;
#pragma omp target map(tofrom : a, b, owner, chunk, seen, parts, last, singles, copied, sum, product, least, best, team, level, inner, excluded)
    {
        int flag = 0, private_one = 5, first = 9;
        int numbers[256] = { 0 };
#pragma omp parallel num_threads(threads) private(private_one) firstprivate(first) reduction(+ : inner)
        {
            int me = omp_get_thread_num(), own;
            numbers[me] = me + 1;
            private_one = me;
            first += me;
#pragma omp barrier
            if (me == omp_get_num_threads() - 1)
                flag = 7;
#pragma omp barrier
            own = flag + (private_one != me) + (first != 9 + me);
#pragma omp atomic
            seen += own;
#pragma omp for schedule(static)
            for (int i = 0; i < N; i++)
                owner[i] = me;
#pragma omp for schedule(static, 7) nowait
            for (int i = 0; i < N; i++)
                chunk[i] = me;
#pragma omp for schedule(dynamic, 3) lastprivate(last) reduction(+ : sum)
            for (int i = 0; i < N; i++) {
                b[i]++;
                last = i;
                sum += i;
            }
#pragma omp for collapse(2) reduction(min : least) reduction(* : product) nowait
            for (int i = 0; i < 5; i++)
                for (int j = 0; j < 2; j++) {
                    if (10 + 2 * i + j < least)
                        least = 10 + 2 * i + j;
                    product = product * (1 + (i + j) % 2);
                }
#pragma omp for reduction(nearest : best)
            for (int i = 0; i < N; i++)
                if (key(i) < best.key)
                    best = (struct pair){ key(i), i };
#pragma omp sections
            {
#pragma omp atomic
                parts += 1;
#pragma omp section
#pragma omp atomic
                parts += 10;
#pragma omp section
#pragma omp atomic
                parts += 100;
            }
            int given = -1;
#pragma omp single copyprivate(given)
            {
                given = 42;
                singles++;
            }
#pragma omp atomic
            copied += given;
            fill(a, N);
#pragma omp masked
            {
                team = numbers[omp_get_num_threads() - 1];
                level = omp_in_parallel() + 10 * omp_get_level();
            }
#pragma omp critical
            {
                excluded[0]++;
                excluded[1] += excluded[0];
            }
#pragma omp parallel for reduction(+ : inner)
            for (int i = 0; i < 3; i++)
                inner += i + omp_get_thread_num();
        }
    }
    struct pair wanted = { 1 << 30, 0 };
    long owners = 0, chunks = 0, twice = 0, filled = 0;
    for (int i = 0; i < N; i++) {
        if (key(i) < wanted.key)
            wanted = (struct pair){ key(i), i };
        owners += owner[i] < 0 || (i && owner[i] < owner[i - 1]);
        chunks += chunk[i] != i / 7 % threads;
        twice += b[i] != 1;
        filled += a[i] < 1 || a[i] > threads;
    }
    check("threads", threads, team, threads);
    check("levels", threads, level, 11);
    check("shared flag", threads, seen, 7L * threads);
    check("blocks", threads, owners, 0);
    check("chunks", threads, chunks, 0);
    check("iterations", threads, twice, 0);
    check("last value", threads, last, N - 1);
    check("sum", threads, (long)sum, N * (N - 1L) / 2);
    check("least", threads, least, 10);
    check("product", threads, product, 32);
    check("key", threads, best.key, wanted.key);
    check("place", threads, best.at, wanted.at);
    check("sections", threads, parts, 111);
    check("singles", threads, singles, 1);
    check("copied", threads, copied, 42L * threads);
    check("for in a function", threads, filled, 0);
    check("single in a function", threads, a[N], 1);
    check("barrier in a function", threads, a[N + 1], a[0] + 1);
    check("critical", threads, excluded[1], threads * (threads + 1L) / 2);
    check("inner teams", threads, inner, 3L * threads);
}

/* Each team has a scratch array of its own, and several `parallel` with the same threads. */
static void leagues(int teams)
{
    enum { THREADS = 64, CHUNK = 4 * THREADS };
    static int in[16 * CHUNK], out[16];
    for (int i = 0; i < 16 * CHUNK; i++)
        in[i] = i % 11;
#pragma omp target teams distribute num_teams(teams) thread_limit(THREADS) map(to : in) map(from : out)
    for (int g = 0; g < 16; g++) {
        int part[THREADS], rounds = 0;
#pragma omp parallel
        {
            int t = omp_get_thread_num();
            part[t] = 0;
            for (int i = t; i < CHUNK; i += omp_get_num_threads())
                part[t] += in[g * CHUNK + i];
        }
#pragma omp parallel
        {
            int t = omp_get_thread_num();
            for (int half = omp_get_num_threads() / 2; half > 0; half /= 2) {
                if (t < half)
                    part[t] += part[t + half];
#pragma omp single
                rounds++;
            }
#pragma omp masked
            out[g] = part[0] + 1000000 * rounds;
        }
    }
    for (int g = 0; g < 16; g++) {
        int sum = 0;
        for (int i = 0; i < CHUNK; i++)
            sum += in[g * CHUNK + i];
        check("teams", teams, out[g], sum + 6 * 1000000);
    }
}

/* How many threads there are is for the device to say. */
static void unbounded(void)
{
    int threads = 0, sum = 0, sections = 0;
#pragma omp target parallel map(tofrom : threads) reduction(+ : sum)
    {
        sum += 1;
#pragma omp single
        threads = omp_get_num_threads();
    }
    check("all", threads, sum, threads);
#pragma omp target map(tofrom : sections)
#pragma omp parallel sections reduction(+ : sections)
    {
        sections += 1;
#pragma omp section
        sections += 2;
    }
    check("parallel sections", threads, sections, 3);
}

int main(void)
{
    for (int threads = 1; threads <= 200; threads += 33)
        everything(threads);
    everything(64);
    for (int teams = 1; teams <= 16; teams *= 4)
        leagues(teams);
    unbounded();
    printf("%d wrong\n", wrong);
    return wrong != 0;
}
