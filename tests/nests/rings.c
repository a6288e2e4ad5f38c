// Places in a ring whose length is a number that is not known: no two iterations have one if the loop goes around
// at most once.
#include "show.h"

enum { MOST = 60 };

static int a[MOST], b[MOST], c[MOST * 4];

static void turn(int n, int k)
{
#pragma acc kernels
    for (int i = 0; i < n; i++) // expect: parallel
        b[(i + k) % n] = a[i];
}

static void turn_back(int n, int k)
{
#pragma acc kernels
    for (int i = n - 1; i >= 0; i--) // expect: parallel
        b[(k + 2 * n - i) % n] = a[i];
}

static void turn_from(int n, int first, int k)
{
    if (first < 0)
        return;
#pragma acc kernels
    for (int i = first + 1; i < n; i++) // expect: sequential: unknown-subscript
        b[(i + k) % n] = a[i];
}

static void turn_from_two(int n, int k)
{
#pragma acc kernels
    for (int i = 2; i <= n; i++) // expect: parallel
        b[(i + k) % n] = a[i - 2];
}

static void turn_rows(int n, int m, int k)
{
#pragma acc kernels
    for (int j = 0; j < m; j++) // expect: sequential: unknown-subscript
        for (int i = 0; i < n; i++) // expect: parallel
            c[j * n + (i + k + j) % n] = a[i] + j;
}

static void turn_by_two(int n, int k)
{
#pragma acc kernels
    for (int i = 0; 2 * i < n; i++) // expect: parallel
        b[(2 * i + k) % n] = a[i];
}

static void add_in_place(int n, int k)
{
#pragma acc kernels
    for (int i = 0; i < n; i++) // expect: parallel
        b[(i + k) % n] = b[(i + k) % n] * 3 + a[i];
}

static void once_too_often(int n, int k)
{
#pragma acc kernels
    for (int i = 0; i <= n; i++) // expect: sequential: unknown-subscript
        b[(i + k) % n] = a[i] + i;
}

static void again_and_again(int n, int m)
{
#pragma acc kernels
    for (int i = 0; i < n; i++) // expect: sequential: unknown-subscript
        b[i % m] = a[i];
}

static void two_in_a_row(int n, int k)
{
#pragma acc kernels
    for (int i = 0; i < n; i++) { // expect: sequential: unknown-subscript
        b[(i + k) % n] = a[i];
        b[(i + k + 1) % n] = a[i] * 2;
    }
}

static void next_in_place(int n, int k)
{
#pragma acc kernels
    for (int i = 0; i < n; i++) // expect: sequential: unknown-subscript
        b[(i + k) % n] = b[(i + k + 1) % n] + 1;
}

static void by_three(int n, int k)
{
#pragma acc kernels
    for (int i = 0; i < n; i++) // expect: sequential: unknown-subscript
        b[(3 * i + k) % n] = a[i];
}

static void longer_and_longer(int n)
{
#pragma acc kernels
    for (int i = 1; i < n; i++) // expect: sequential: unknown-subscript
        b[n % i] = a[i];
}

static void reset(void)
{
    for (int i = 0; i < MOST; i++)
        a[i] = i * 37 % 101, b[i] = i * 53 % 97;
    for (int i = 0; i < 4 * MOST; i++)
        c[i] = i;
}

#define SHOW(call, list)                                 \
    do {                                                 \
        reset();                                         \
        call;                                            \
        show(#call, list, sizeof list / sizeof list[0]); \
    } while (0)

int main(void)
{
    SHOW(turn(MOST, 0), b);
    SHOW(turn(MOST, 17), b);
    SHOW(turn(7, 1000), b);
    SHOW(turn_back(MOST, 5), b);
    SHOW(turn_from(50, 9, 44), b);
    SHOW(turn_from_two(50, 13), b);
    SHOW(turn_rows(50, 4, 3), c);
    SHOW(turn_by_two(33, 5), b);
    SHOW(add_in_place(MOST, 11), b);
    SHOW(once_too_often(31, 4), b);
    SHOW(again_and_again(MOST, 7), b);
    SHOW(two_in_a_row(41, 6), b);
    SHOW(next_in_place(41, 6), b);
    SHOW(by_three(57, 2), b);
    SHOW(longer_and_longer(MOST), b);
    return 0;
}
