//! golden ptx: ptx
/* What threads have in common comes with the launch: how many iterations there are, and what divides by it. */

enum { MOST = 48 };

void ints(int n, const int *a, int *quotient, int *rest)
{
#pragma acc parallel loop present(a, quotient, rest)
    for (int i = 0; i < (n > 0 && n < MOST ? n : MOST); i++) {
        quotient[i] = a[i] / n;
        rest[i] = a[i] % n;
    }
}

void unsigned_ints(unsigned n, const unsigned *a, unsigned *quotient, unsigned *rest)
{
#pragma acc parallel loop present(a, quotient, rest)
    for (unsigned i = 0; i < (n < MOST ? n : MOST); i++) {
        quotient[i] = a[i] / n;
        rest[i] = a[i] % n;
    }
}

void longs(long n, const long *a, long *quotient, long *rest)
{
#pragma acc parallel loop present(a, quotient, rest)
    for (long i = 0; i < (n > 0 && n < MOST ? n : MOST); i++) {
        quotient[i] = a[i] / n;
        rest[i] = a[i] % n;
    }
}

void unsigned_longs(unsigned long n, const unsigned long *a, unsigned long *quotient, unsigned long *rest)
{
#pragma acc parallel loop present(a, quotient, rest)
    for (unsigned long i = 0; i < (n < MOST ? n : MOST); i++) {
        quotient[i] = a[i] / n;
        rest[i] = a[i] % n;
    }
}

/* Merged loops divide their counter. */
void cells(int n, int m, int l, int *a)
{
#pragma acc parallel loop collapse(3) present(a)
    for (int i = 0; i < n; i++)
        for (int j = 1; j < m - 1; j++)
            for (int k = l - 1; k >= 0; k -= 2)
                a[(i * m + j) * l + k] += i + 10 * j + 100 * k;
}
