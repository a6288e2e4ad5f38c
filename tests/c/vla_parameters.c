// The lengths of array parameters are evaluated when the function is entered, the outermost too.
#include <stdio.h>

static int calls;

static int length(int n) {
    calls++;
    return n;
}

static int once(int n, int a[n++]) { return n; }
static int twice(int n, int a[n++], int m, int b[m++][3]) { return n * 100 + m; }
static int called(int n, int a[length(n)]) { return calls; }
static int rows(int n, double a[n][n + 1]) { return sizeof a[0]; }
static int declared(int n, int a[n++]);
static int declared(int n, int a[n]) { return n; }

int main(void) {
    int v[10];
    int w[2][3];
    double d[2][3];
    printf("%d\n", once(10, v));
    printf("%d\n", twice(1, v, 1, w));
    printf("%d\n", called(5, v));
    printf("%d\n", rows(2, d));
    printf("%d\n", declared(4, v));
    return 0;
}
