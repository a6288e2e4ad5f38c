// What a function computes without a sign wraps around, whoever calls it: 65536 times 65536 is 0.
#include "show.h"
#define STEP 65536u
static int a[4], b[40];

static int place(unsigned i)
{
    return (int)(i * STEP);
}

static int below(unsigned i, unsigned by)
{
    return (int)(i - by);
}

int main(void)
{
    fill(a, 4, 7);
    fill(b, 40, 9);
#pragma acc kernels
    {
        for (unsigned i = 0; i < 10 * STEP; i += STEP) // expect: sequential: unknown-subscript a
            a[place(i)] = a[place(i)] * 3 + 1;
        for (unsigned i = 1; i < 40; i++) // expect: sequential: carried b, distance 1
            b[i] = b[below(i, 1)] * 3 + 1;
    }
    show("a", a, 4);
    show("b", b, 40);
}
