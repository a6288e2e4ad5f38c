// Sums of columns: few iterations that each reduce in a long loop inside, whose parts the threads of a gang share.
#include <stdio.h>
#include <stdlib.h>

enum { MOST = 1100, ROWS = 300 };

static float a[ROWS * MOST], x[ROWS], y[MOST], z[MOST];
static double w[ROWS * MOST], v[MOST];
static int k[ROWS * MOST], p[MOST], q[MOST], r[MOST];
static long long l[MOST];

static void fill(void)
{
    for (int i = 0; i < ROWS * MOST; i++) {
        a[i] = (i * 7 % 11) - 5;
        w[i] = (i * 5 % 13) - 6;
        k[i] = (int)((unsigned)i * 2654435761u >> 8) - (1 << 22);
    }
    for (int i = 0; i < ROWS; i++)
        x[i] = i % 5 - 2;
    for (int j = 0; j < MOST; j++)
        y[j] = z[j] = v[j] = j % 3, p[j] = q[j] = r[j] = j % 4, l[j] = 0;
}

static void say(const char *name, int n, int m, int wrong) { printf("%s %d %d: %d wrong\n", name, n, m, wrong); }

// What is asked before a launch: columns beside the last ones, none, short ones.
static void one_sum(int n, int m)
{
    fill();
#pragma acc parallel loop copy(y[0:MOST]) copyin(a, x)
    for (int j = 0; j < n; j++) {
        float sum = 0;
#pragma acc loop reduction(+:sum)
        for (int i = 0; i < m; i++)
            sum += a[i * n + j] * x[i];
        y[j] = sum;
    }
    int wrong = 0;
    for (int j = 0; j < MOST; j++) {
        float sum = j < n ? 0 : j % 3;
        for (int i = 0; j < n && i < m; i++)
            sum += a[i * n + j] * x[i];
        wrong += y[j] != sum;
    }
    say("one sum", n, m, wrong);
}

// Several at once, of other operators, from values that are there before; code in front and behind, and a loop
// that not all columns have.
static void several(int n, int m)
{
    fill();
#pragma acc parallel loop copy(p, q, r, l) copyin(k)
    for (int j = 0; j < n; j++) {
        int least = q[j], most = r[j], ones = p[j] | 1;
        long long sum = j;
        int scale = p[j] + 1;
        if (p[j] != 2) {
#pragma acc loop reduction(+:sum) reduction(min:least) reduction(max:most) reduction(^:ones)
            for (int i = m - 1; i >= 0; i -= 3) {
                int value = k[i * n + j];
                sum += value * scale;
                least = value < least ? value : least;
                most = value > most ? value : most;
                ones ^= value;
            }
        }
        l[j] += sum - 1;
        if (least < most)
            p[j] = ones;
        q[j] = least;
        r[j] = most;
    }
    int wrong = 0;
    for (int j = 0; j < n; j++) {
        int of_j = j % 4, least = of_j, most = of_j, ones = of_j | 1;
        long long sum = j;
        for (int i = m - 1; of_j != 2 && i >= 0; i -= 3) {
            int value = k[i * n + j];
            sum += value * (of_j + 1);
            least = value < least ? value : least;
            most = value > most ? value : most;
            ones ^= value;
        }
        wrong += l[j] != sum - 1 || p[j] != (least < most ? ones : of_j) || q[j] != least || r[j] != most;
    }
    say("several", n, m, wrong);
}

// Levels as the program says, backwards, with a step, and a loop inside of the inner one.
static void backwards(int n, int m)
{
    fill();
#pragma acc parallel loop gang vector copy(v) copyin(w)
    for (int j = n; j > 1; j -= 2) {
        double sum = 0.5, most = -1;
#pragma acc loop seq reduction(+:sum) reduction(max:most)
        for (int i = 1; i <= m; i += 2)
            for (int h = 0; h < 2; h++) {
                sum += w[(i - h) * n + j - 1];
                most = w[(i - h) * n + j - 1] > most ? w[(i - h) * n + j - 1] : most;
            }
        v[j] = sum + most;
    }
    int wrong = 0;
    for (int j = 0; j < MOST; j++) {
        double sum = 0.5, most = -1;
        for (int i = 1; i <= m; i += 2)
            for (int h = 0; h < 2; h++) {
                int at = (i - h) * n + j - 1;
                sum += j > 0 ? w[at] : 0;
                most = j > 0 && w[at] > most ? w[at] : most;
            }
        wrong += v[j] != (j > 1 && j <= n && (n - j) % 2 == 0 ? sum + most : j % 3);
    }
    say("backwards", n, m, wrong);
}

// Rows of 64 and 128 lanes.
static void lanes(int n, int m)
{
    fill();
#pragma acc parallel copy(y, z) copyin(a)
    {
#pragma acc loop gang vector
        for (int j = 0; j < n; j++) {
            int all = 1, any = 0;
#pragma acc loop reduction(&&:all) reduction(||:any)
            for (int i = 0; i < m; i++) {
                all = all && a[i * n + j] < 5;
                any = any || a[i * n + j] > 4;
            }
            y[j] = all + 2 * any;
        }
    }
#pragma acc parallel loop gang vector vector_length(128) copy(z) copyin(a)
    for (int j = 0; j < n; j++) {
        float product = 1;
#pragma acc loop reduction(*:product)
        for (int i = 0; i < m; i++)
            product *= a[i * n + j] > 0 ? 1 : -1;
        z[j] = product;
    }
    int wrong = 0;
    for (int j = 0; j < n; j++) {
        int all = 1, any = 0;
        float product = 1;
        for (int i = 0; i < m; i++) {
            all = all && a[i * n + j] < 5;
            any = any || a[i * n + j] > 4;
            product *= a[i * n + j] > 0 ? 1 : -1;
        }
        wrong += y[j] != all + 2 * any || z[j] != product;
    }
    say("lanes", n, m, wrong);
}

// A nest that the compiler judges, and a sum that begins with what is there before.
static void of_kernels(int n, int m)
{
    fill();
#pragma acc kernels copy(y, z) copyin(a, x)
    {
        for (int j = 0; j < n; j++) {
            float sum = z[j];
            for (int i = 0; i < m; i++)
                sum += a[i * n + j] * x[i];
            y[j] = 2 * sum;
        }
    }
    int wrong = 0;
    for (int j = 0; j < n; j++) {
        float sum = j % 3;
        for (int i = 0; i < m; i++)
            sum += a[i * n + j] * x[i];
        wrong += y[j] != 2 * sum;
    }
    say("kernels", n, m, wrong);
}

// What must stay as it is: a value that is used behind the loop, a store in front of it, bounds of
// each column, two loops one behind the other.
static void others(int n, int m)
{
    fill();
#pragma acc parallel loop copy(p, q, l, v) copyin(k, w)
    for (int j = 0; j < n; j++) {
        int sum = 0, last = 0;
#pragma acc loop seq reduction(+:sum)
        for (int i = 0; i < m; i++) {
            last = k[i * n + j];
            sum += last & 15;
        }
        p[j] = sum + last;
    }
#pragma acc parallel loop copy(q, l) copyin(k)
    for (int j = 0; j < n; j++) {
        long long sum = 0;
        q[j] = k[j];
#pragma acc loop reduction(+:sum)
        for (int i = j % 7; i < m; i++)
            sum += k[i * n + j];
        l[j] = sum;
    }
#pragma acc parallel loop copy(v) copyin(w)
    for (int j = 0; j < n; j++) {
        double mean = 0, away = 0;
#pragma acc loop reduction(+:mean)
        for (int i = 0; i < m; i++)
            mean += w[i * n + j];
#pragma acc loop reduction(+:away)
        for (int i = 0; i < m; i++)
            away += (w[i * n + j] * m - mean) * (w[i * n + j] * m - mean);
        v[j] = away;
    }
    int wrong = 0;
    for (int j = 0; j < n; j++) {
        long long sum = 0, of_rest = 0;
        double mean = 0, away = 0;
        for (int i = 0; i < m; i++)
            sum += k[i * n + j] & 15, of_rest += i >= j % 7 ? k[i * n + j] : 0, mean += w[i * n + j];
        for (int i = 0; i < m; i++)
            away += (w[i * n + j] * m - mean) * (w[i * n + j] * m - mean);
        wrong += p[j] != (int)sum + k[(m - 1) * n + j] || q[j] != k[j] || l[j] != of_rest || v[j] != away;
    }
    say("others", n, m, wrong);
}

int main(void)
{
    int sizes[][2] = {{1, 300}, {63, 130}, {100, 300}, {1100, 129}, {100, 127}, {0, 300}, {70, 0}};
    for (int at = 0; at < 7; at++)
        one_sum(sizes[at][0], sizes[at][1]);
    several(90, 300);
    several(30, 1);
    backwards(101, 299);
    lanes(70, 200);
    of_kernels(65, 200);
    others(66, 200);
    return 0;
}
