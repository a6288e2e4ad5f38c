// Counters that the header converts before it compares them: to an unsigned number, to more bits, to both.
#include "show.h"
#include <stddef.h>
#define N 200
static int a[N + 5], b[N + 5];

static void converted(unsigned n, long wide, size_t size, int from)
{
    unsigned char last = 0;
    int end = 0;
#pragma acc kernels
    {
        for (int i = 0; i < n; i++) // expect: parallel
            a[i] = b[i] + 1;
        for (int i = 3; i < wide; i += 2) // expect: parallel
            a[i] = a[i] * 2 + a[i - 1];
        for (int i = 0; i < size; i++) // expect: parallel
            b[i] = b[i] + a[i] + i;
        for (unsigned i = 0; i < size; i++) // expect: parallel
            a[i] = a[i] + b[i] * 3;
        for (unsigned char c = 0; c < 100; c++) // expect: parallel
            b[c] = b[c] - c;
        for (short i = 20; i >= 0; i--) // expect: parallel
            a[2 * i + 1] = a[2 * i] + i;
        for (end = 0; end < n; end++) // expect: parallel
            b[end] = b[end] + a[end];
        for (int i = 1; i < n; i++) // expect: sequential: carried a, distance 1
            a[i] = a[i - 1] + i;
        for (int i = from; i < n; i++) // expect: parallel
            b[i] = b[i] * 2;
    }
    printf("%d %d\n", last, end);
}

int main(void)
{
    fill(b, N + 5, 135);
    converted(N, N, N, 3);
    show("a", a, N + 5);
    show("b", b, N + 5);
    converted(0, 0, 0, -2);
    converted(1, 4, 1, 7);
    show("a", a, N + 5);
    show("b", b, N + 5);
}
