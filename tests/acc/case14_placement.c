// Directives as the body of an `if` or a loop without braces, from macros, over continued lines, between case labels.
// also: --gangs 3
#include <stdio.h>

enum { N = 100 };
static int a[N];

#define PRAGMA(text) _Pragma(#text)
#define SUM_INTO(variable) PRAGMA(acc parallel loop reduction(+:variable) copyin(a))
#define LEVELS gang vector
#define WIDTH 32

static int by_case(int which)
{
    int s = 0;
    switch (which) {
    case 0:
#pragma acc parallel loop reduction(+:s) copyin(a)
        for (int i = 0; i < N; i++)
            s += a[i];
        break;
    case 1:
        s = 0;
#pragma acc wait(1)
    case 2:
#pragma acc data copyin(a)
    {
#pragma acc parallel loop reduction(max:s)
        for (int i = 0; i < N; i++)
            s = a[i] > s ? a[i] : s;
    }
    break;
    default:
        s = -1;
#pragma acc wait
    }
    return s;
}

int main(void)
{
    int wrong = 0, flag = 1, s;
    for (int i = 0; i < N; i++)
        a[i] = i;

    s = 0;
    if (flag)
#pragma acc parallel loop reduction(+:s) copyin(a)
        for (int i = 0; i < N; i++)
            s += a[i];
    else
#pragma acc parallel loop reduction(*:s)
        for (int i = 0; i < N; i++)
            s *= 2;
    wrong += s != 4950;

    s = 0;
    for (int k = 0; k < 3; k++)
#pragma acc parallel copy(s) num_gangs(1)
        s += k;
    wrong += s != 3;

    s = 0;
    SUM_INTO(s)
    for (int i = 0; i < N; i++)
        s += a[i];
    wrong += s != 4950;

    s = 1;
#pragma acc parallel \
    loop LEVELS \
    vector_length(WIDTH) /* a comment
                            of two lines */ \
    reduction(+ \
              : s) copyin(a)
    for (int i = 0; i < N; i++)
        s += a[i];
    wrong += s != 4951;

    s = 0;
    while (flag--)
#pragma acc parallel loop reduction(+:s)
        for (int i = 0; i < N; i++)
            s++;
    wrong += s != N;

    s = 0;
    goto label;
label:
#pragma acc parallel loop reduction(+:s)
    for (int i = 0; i < N; i++)
        s++;
    wrong += s != N;

    s = 0;
    do
#pragma acc serial loop reduction(+:s)
        for (int i = 0; i < 3; i++)
            s++;
    while (s < 9);
    wrong += s != 9;

    wrong += by_case(0) != 4950 || by_case(2) != 99 || by_case(1) != 99 || by_case(7) != -1;
    if (wrong)
        printf("%d wrong\n", wrong);
    return wrong != 0;
}
