// A step that is known at run time is positive, or the loop would not end.
#include "show.h"
#define N 200
static int a[N], b[N];

static void every(int n, int s)
{
#pragma acc kernels
    for (int i = 0; i < n; i += s) // expect: parallel
        a[i] = b[i] + s;
}

static void skip(int n, int s)
{
#pragma acc kernels
    for (int i = s; i < n; i += s) // expect: sequential: carried a, distance 1
        a[i] = a[i - s] + 1;
}

// The last value of the counter is used, and the loop may not be entered at all, with whatever step.
static int counted(int n, int s)
{
    int i;
#pragma acc kernels
    for (i = 3; i <= n; i += s) // expect: parallel
        a[i] += b[i];
    return i;
}

static void apart(long n, long s, int *p)
{
#pragma acc kernels copy(p[0:n])
    for (long i = 0; i < n; i += s) // expect: parallel
        p[i] = 2 * p[i] + 1;
}

// Another local steps by it, too.
static void both(int n, int s)
{
    int k = 0;
#pragma acc kernels
    for (int i = 0; i < n; i += s) { // expect: parallel
        a[k] += i;
        k += 2;
    }
}

// A loop that is left from its middle may have a step that leads away from its bound.
static int left(int n, int s)
{
    int last = 0;
#pragma acc kernels
    for (int i = 10; i < n; i += s) { // expect: sequential: scalar last
        if (i < 2) break;
        a[i] = i;
        last = i;
    }
    return last;
}

int main(void)
{
    fill(b, N, 63);
    every(N, 3);
    every(N, 1);
    skip(N, 4);
    int ends[] = { counted(N - 1, 7), counted(N - 2, 1), counted(2, 0), counted(3, N) };
    show("ends", ends, 4);
    apart(N, 9, b);
    apart(0, 0, b);
    apart(1, 5, b);
    both(N / 2, 3);
    ends[0] = left(N, -3);
    ends[1] = left(N, 30);
    show("ends", ends, 2);
    show("b", b, N);
    show("a", a, N);
}
