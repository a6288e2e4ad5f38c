// Pointers that no clause names: what the constructs use is mapped, and not a byte more. Arrays end at a page that nobody may
// touch, or begin at one.
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

static void *tight(size_t bytes, int at_start)
{
    size_t inner = (bytes + 4095) / 4096 * 4096;
    char *all = mmap(0, inner + 8192, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    mprotect(all + 4096, inner, PROT_READ | PROT_WRITE);
    return at_start ? all + 4096 : all + 4096 + inner - bytes;
}

static double *filled(int n, int at_start)
{
    double *a = tight(n * sizeof(double), at_start);
    for (int i = 0; i < n; i++)
        a[i] = i + 1;
    return a;
}

static void check(const char *what, int good)
{
    if (!good) {
        printf("%s: wrong\n", what);
        exit(1);
    }
}

struct size {
    int rows, columns;
};

static double *shared;
static int limit = 50;

static void shapes(int side)
{
    int n = 100, m = 7, good = 1;
    double *a = filled(n, side), *b = filled(n, side);
#pragma acc parallel loop
    for (int i = 0; i < n; i++)
        a[i] = a[i] + b[i];
    for (int i = 0; i < n; i++)
        good &= a[i] == 2 * (i + 1);
    check("plain", good);

    double *c = filled(n * m, side);
#pragma acc parallel loop collapse(2)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            c[i * m + j] = i + j;
    for (int i = 0; i < n * m; i++)
        good &= c[i] == i / m + i % m;
    check("rows", good);

    double *d = filled(n - 3, side);
#pragma acc parallel loop
    for (int i = 3; i < n; i++)
        d[i - 3] += 1;
    check("offset", d[0] == 2 && d[n - 4] == n - 2);

    double *e = filled(10, side) + 10;
#pragma acc parallel loop
    for (int i = 1; i <= 10; i++)
        e[-i] = i;
    check("negative", e[-1] == 1 && e[-10] == 10);

    double *t = filled(91, side);
#pragma acc parallel loop
    for (int i = 0; i < 10; i++)
        for (int j = i; j < 10; j++)
            t[10 * i + j - i] = i * j;
    check("triangle", t[10 * 3 + 2] == 15 && t[9] == 0 && t[90] == 81);

    double *u = filled(10, side), *v = filled(9, side);
    int k = 9;
#pragma acc parallel loop
    for (int i = 0; i < 10; i += 2)
        u[i + 1] = u[i];
#pragma acc parallel loop
    for (int i = 0; i < k; i += 2)
        v[i] = -i;
    check("steps", u[9] == 9 && v[8] == -8 && v[1] == 2);

    double *p = filled(20, side), *q = p + 10, *r = p + 5;
#pragma acc parallel loop
    for (int i = 0; i < 10; i++)
        q[i] = p[i];
    check("halves of an array", q[9] == 10);
#pragma acc serial
    for (int i = 0; i < 10; i++)
        p[i] = r[i] + 1;
    check("pointers into one array", p[0] == 7 && p[9] == 6);

    double *w = filled(1, side), *x = filled(n, side);
#pragma acc parallel loop
    for (int i = 0; i < n; i++)
#pragma acc atomic
        w[0] += x[i];
    check("atomic", w[0] == 5051);

    double *y = filled(n, side);
#pragma acc serial
    {
        y[0] = 0;
        for (int i = 1; i < n; i++)
            y[i] = y[i - 1] + 1;
    }
    check("straight code", y[0] == 0 && y[n - 1] == n - 1);
}

struct point {
    double x, y, z;
};

// Counters of every type, rows that are not full, objects that are copied whole, and counters in memory beside pointers to
// their type.
static void counters(int side)
{
    size_t n = 90;
    unsigned m = 45;
    double *a = filled(n, side), *b = filled(m, side);
#pragma acc parallel loop
    for (size_t i = 0; i < n; i++)
        a[i] *= 2;
#pragma acc parallel loop
    for (unsigned i = 5; i < m; i++)
        b[i - 5] = a[(size_t)i + m];
    check("unsigned", a[89] == 180 && b[0] == 102 && b[39] == 180 && b[40] == 41);
#pragma acc serial
    for (size_t i = m; i-- > 0;)
        b[i] = i;
    check("downwards", b[0] == 0 && b[44] == 44);

    int rows = 3, columns = 5;
    double (*r)[8] = (double (*)[8])filled(21, side);
#pragma acc parallel loop
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++)
            r[i][j] = 10 * i + j;
    check("rows that are not full", r[2][4] == 24 && r[1][5] == 14);

    struct point *p = (struct point *)filled(12, side), *q = (struct point *)filled(9, side);
#pragma acc parallel loop
    for (int i = 0; i < 3; i++)
        p[i + 1] = q[i];
    check("structures", p[0].z == 3 && p[1].x == 1 && p[3].z == 9);

    int i, j, *t = tight(64 * sizeof(int), side);
    for (i = 0; i < 64; i++)
        t[i] = i;
#pragma acc kernels
    for (i = 1; i < 8; i++)
        for (j = 0; j < 8; j++) {
            if (t[8 * i + j] < 0)
                abort();
            t[8 * i + j] = t[8 * i + j] < t[8 * i - 8] + j ? t[8 * i + j] : t[8 * i - 8] + j;
        }
    check("counters of the type that is stored", t[63] == 7 && t[8] == 0);
}

static void empty(void)
{
    double *nothing = 0;
    int zero = 0, minus = -1;
#pragma acc parallel loop
    for (int i = 0; i < zero; i++)
        nothing[i] = 1;
#pragma acc parallel loop
    for (int i = 0; i < minus; i++)
        for (int j = 0; j < minus; j++)
            nothing[i * minus + j] = 1;
}

static void bounds(struct size *s, double *a)
{
#pragma acc parallel loop
    for (int i = 0; i < s->columns; i++)
        a[i] *= 2;
#pragma acc parallel loop
    for (int i = 0; i < limit; i++)
        shared[i] += 1;
}

static void rows(int n, int m, double A[n][m], double B[n])
{
#pragma acc parallel loop
    for (int i = 0; i < n; i++) {
        B[i] = 0;
        for (int j = 0; j < m; j++)
            B[i] += A[i][j];
    }
}

static void presence(int n)
{
    double *a = filled(n, 0);
    // Present: nothing is copied back until the program says so.
#pragma acc enter data copyin(a[0:n])
#pragma acc parallel loop
    for (int i = 0; i < n; i++)
        a[i] = 7;
#pragma acc parallel loop
    for (int i = 0; i < n; i++)
        a[i] += 1;
#pragma acc exit data copyout(a[0:n])
    check("present", a[0] == 8 && a[n - 1] == 8);
    // A part is present, and that is what the construct uses.
#pragma acc enter data copyin(a[0:n / 2])
#pragma acc parallel loop
    for (int i = 0; i < n; i++)
        if ((i & 63) < n / 2)
            a[i] = 9;
#pragma acc exit data copyout(a[0:n / 2])
    check("partly present", a[0] == 9 && a[n / 2] == 8);
}

static void queues(int n)
{
    double *a = filled(n, 0), *b = filled(n, 1);
#pragma acc parallel loop async(1)
    for (int i = 0; i < n; i++)
        b[i] = a[i] * 2;
#pragma acc parallel loop async(1)
    for (int i = 0; i < n; i++)
        a[i] = b[i] + 1;
#pragma acc wait(1)
    check("queue", a[n - 1] == 2 * n + 1 && b[n - 1] == 2 * n);
#pragma acc parallel loop if (n < 0)
    for (int i = 0; i < n; i++)
        a[i] = 1;
#pragma acc parallel loop self(n > 0)
    for (int i = 0; i < n; i++)
        b[i] = a[i];
    check("on the host", b[n - 1] == 1);
}

int main(void)
{
    for (int side = 0; side < 2; side++)
        shapes(side), counters(side);
    empty();
    shared = filled(limit, 0);
    struct size s = {1, 20};
    double *a = filled(20, 0);
    bounds(&s, a);
    check("bounds in memory", a[19] == 40 && shared[49] == 51);
    double A[6][8], B[6];
    for (int i = 0; i < 48; i++)
        A[i / 8][i % 8] = i;
    rows(6, 8, A, B);
    check("arrays of arrays", B[0] == 28 && B[5] == 348);
    presence(64);
    queues(64);
    puts("all right");
    return 0;
}
