// Guards that say what a subscript is not.
#include "show.h"
#define N 200
static int a[N], b[N], c[N][N];

static void symbols(int n, int k, int m)
{
#pragma acc kernels
    {
        for (int i = 0; i < n; i++) // expect: parallel
            if (i != k)
                a[i] = a[k] + 1;
        for (int i = 0; i < n; i++) { // expect: parallel
            if (i == k || i == m)
                continue;
            a[i] = a[k] - a[m];
        }
        for (int i = 0; i < n; i++) // expect: versioned: if a
            if (i != k)
                a[i] = a[m] + 1;
        for (int i = 0; i < n - 1; i++) // expect: versioned: if a
            if (i != k)
                a[i] = a[k + 1] + 1;
    }
}

int main(void)
{
    fill(a, N, 26);
    fill(b, N, 27);
    symbols(N, 77, 3);
    symbols(N, 0, 199);
#pragma acc kernels
    {
        for (int i = 0; i < N; i++) // expect: parallel
            if (i != 5)
                a[i] = a[5] + b[i];
        for (int i = 0; i < N - 1; i++) // expect: sequential: carried a, distance 1
            if (i != 5)
                a[i] = a[i + 1] + b[i];
        for (int i = 0; i < N - 1; i++) // expect: parallel
            if (i % 2)
                a[i] = a[i + 1] + b[i];
        for (int i = 0; i < N - 1; i++) // expect: parallel
            if (i & 1)
                a[i] = a[i - 1] - a[i + 1];
        for (int i = 1; i < N; i++) // expect: parallel
            if (i % 2 != 0)
                a[i] = a[i - 1] + 7;
            else
                b[i] = a[i] * 3;
        for (int i = 2; i < N; i++) // expect: sequential: carried a, distance 2
            if (i % 2 != 0)
                a[i] = a[i - 2] + b[i];
        for (int i = 3; i < N; i++) // expect: sequential: carried a, distance 1
            if (i % 3 != 0)
                a[i] = a[i - 1] + b[i];
        for (int i = 0; i < N; i++) // expect: parallel
            for (int j = 0; j < N; j++) // expect: parallel
                if (i != j)
                    c[i][j] = c[i][i] + j;
        for (int i = 0; i < N; i++) // expect: sequential: carried c, distance 1
            for (int j = 0; j < N; j++) // expect: parallel
                if (i != j)
                    c[i][j] = c[j][j] + c[j][i];
    }
    show("a", a, N);
    show("b", b, N);
    show("c", c, N * N);
}
