/* Objects of more than 4 GiB, and loops of more than 2^32 iterations: offsets and counts that 32 bits do not
   hold. Takes up to 42 GB of the device's memory, 6 GB of the host's.

   accrue run --device cuda -fopenmp tests/gpu/large.c */

#include <openacc.h>
#include <stdio.h>
#include <stdlib.h>

static int wrong;

static void is(const char *what, long value, long wanted)
{
    if (value != wanted) {
        printf("%s: %ld, should be %ld\n", what, value, wanted);
        wrong++;
    }
}

/* Bytes. */

static void bytes(long n)
{
    unsigned char *a = acc_malloc(n);
    long bad = 0;
    #pragma acc parallel loop deviceptr(a)
    for (long i = 0; i < n; i++) a[i] = i * 7 + (i >> 32);
    #pragma acc parallel loop deviceptr(a) reduction(+:bad)
    for (long i = 0; i < n; i++) bad += a[i] != (unsigned char)(i * 7 + (i >> 32));
    is("bytes, parallel", bad, 0);
    #pragma acc kernels deviceptr(a)
    for (long i = n - 1; i >= 0; i--) a[i] ^= 0x55;
    bad = 0;
    #pragma acc kernels deviceptr(a)
    for (long i = 0; i < n; i++) bad += a[i] != (unsigned char)((unsigned char)(i * 7 + (i >> 32)) ^ 0x55);
    is("bytes, kernels", bad, 0);
    #pragma omp target teams distribute parallel for is_device_ptr(a)
    for (unsigned long i = 1; i < (unsigned long)n; i += 3) a[i] = 1;
    bad = 0;
    #pragma omp target teams distribute parallel for simd is_device_ptr(a) reduction(+:bad)
    for (long i = 1; i < n; i += 3) bad += a[i] != 1;
    is("bytes, every third one", bad, 0);
    #pragma acc parallel loop gang deviceptr(a)
    for (long i = 0; i < n; i++) a[i] = i >> 24;
    static long counts[256];
    #pragma acc parallel loop deviceptr(a) copy(counts)
    for (long i = 0; i < n; i++) {
        #pragma acc atomic
        counts[a[i]]++;
    }
    long sum = 0, first = counts[0], rounds = n >> 32;
    for (int k = 0; k < 256; k++) sum += counts[k];
    is("bytes, histogram", sum, n);
    long rest = n - (rounds << 32), block = 1L << 24;
    is("bytes, zeros", first, rounds * block + (rest > block ? block : rest));
    #pragma acc parallel loop deviceptr(a)
    for (unsigned i = 0; i < 4294967295u; i++) a[i] = i & 3;
    sum = 0;
    #pragma acc parallel loop deviceptr(a) reduction(+:sum)
    for (unsigned i = 0; i < 4294967295u; i++) sum += a[i];
    is("bytes, unsigned counter", sum, 4294967296L / 4 * 6 - 3);
    acc_free(a);
}

/* Elements that an int counts, in more bytes. */

struct particle {
    double x, y;
    float charge;
    int cell;
};

static void counted_by_int(int n)
{
    double *a = acc_malloc(n * sizeof *a), *b = acc_malloc(n * sizeof *b);
    #pragma acc parallel loop deviceptr(a, b)
    for (int i = 0; i < n; i++) a[i] = i, b[i] = n - i;
    #pragma acc kernels deviceptr(a, b)
    for (int i = 1; i < n - 1; i++) b[i] = a[i - 1] + a[i + 1];
    long bad = 0;
    #pragma acc parallel loop deviceptr(b) reduction(+:bad)
    for (int i = 1; i < n - 1; i++) bad += b[i] != 2.0 * i;
    is("doubles, neighbours", bad, 0);
    double dot = 0;
    #pragma acc parallel loop deviceptr(a) reduction(+:dot)
    for (int i = 0; i < n; i++) dot += a[i];
    is("doubles, sum", dot - (double)n * (n - 1) / 2 == 0, 1);
    double most = -1;
    int at = -1;
    #pragma acc kernels deviceptr(b) copy(most, at)
    for (int i = 1; i < n - 1; i++)
        if (b[i] > most) most = b[i], at = i;
    is("doubles, place of the largest", at, n - 2);
    #pragma acc parallel loop gang vector vector_length(128) deviceptr(a, b)
    for (int i = 0; i < n; i++) b[n - 1 - i] = a[i];
    bad = 0;
    #pragma omp target teams loop is_device_ptr(b) reduction(+:bad)
    for (int i = 0; i < n; i++) bad += b[i] != n - 1 - i;
    is("doubles, turned round", bad, 0);
    acc_free(a), acc_free(b);

    int count = n / 2;
    struct particle *p = acc_malloc(count * sizeof *p);
    #pragma acc parallel loop deviceptr(p)
    for (int i = 0; i < count; i++) {
        p[i].x = i, p[i].y = -i;
        p[i].charge = i & 1, p[i].cell = count - i;
    }
    bad = 0;
    #pragma acc parallel loop deviceptr(p) reduction(+:bad)
    for (int i = 0; i < count; i++) {
        struct particle *other = &p[p[i].cell - 1];
        bad += other->x != count - i - 1;
        bad += p[i].y + p[i].x != 0;
    }
    is("structures", bad, 0);
    acc_free(p);
}

/* Matrices. */

static void matrices(int n, int m)
{
    float *a = acc_malloc(sizeof *a * n * m), *b = acc_malloc(sizeof *b * n * m);
    float(*rows)[m] = (float(*)[m])a;
    long bad = 0;
    #pragma acc parallel loop collapse(2) deviceptr(a)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) a[(size_t)i * m + j] = i % 1000 + j % 100 * 0.5f;
    #pragma acc parallel loop gang deviceptr(rows) reduction(+:bad)
    for (int i = 0; i < n; i++)
        #pragma acc loop vector reduction(+:bad)
        for (int j = 0; j < m; j++) bad += rows[i][j] != i % 1000 + j % 100 * 0.5f;
    is("matrix, collapse and rows", bad, 0);
    #pragma acc kernels deviceptr(a, b)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) b[(long)j * n + i] = a[(long)i * m + j];
    bad = 0;
    #pragma acc parallel loop collapse(2) deviceptr(b) reduction(+:bad)
    for (int j = 0; j < m; j++)
        for (int i = 0; i < n; i++) bad += b[(long)j * n + i] != i % 1000 + j % 100 * 0.5f;
    is("matrix, transposed", bad, 0);
    #pragma acc parallel loop tile(32, 32) deviceptr(a, b)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) b[(long)i * m + j] = a[(long)i * m + j] + 1;
    double *sums = acc_malloc(sizeof *sums * (n > m ? n : m));
    #pragma acc kernels deviceptr(b, sums)
    for (int i = 0; i < n; i++) {
        double sum = 0;
        for (int j = 0; j < m; j++) sum += b[(long)i * m + j];
        sums[i] = sum;
    }
    double row = 0;
    for (int j = 0; j < m; j++) row += 1 + j % 100 * 0.5f;
    bad = 0;
    #pragma acc parallel loop deviceptr(sums) reduction(+:bad)
    for (int i = 0; i < n; i++) bad += sums[i] != row + (double)m * (i % 1000);
    is("matrix, sums of rows", bad, 0);
    #pragma acc parallel loop deviceptr(b, sums)
    for (int j = 0; j < m; j++) {
        double sum = 0;
        #pragma acc loop reduction(+:sum)
        for (int i = 0; i < n; i++) sum += b[(long)i * m + j];
        sums[j] = sum;
    }
    double column = 0;
    for (int i = 0; i < n; i++) column += 1 + i % 1000;
    bad = 0;
    #pragma acc parallel loop deviceptr(sums) reduction(+:bad)
    for (int j = 0; j < m; j++) bad += sums[j] != column + (double)n * (j % 100 * 0.5f);
    is("matrix, sums of columns", bad, 0);
    #pragma acc parallel loop collapse(2) deviceptr(a, b)
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < m - 1; j++)
            b[(long)i * m + j] = a[(long)(i - 1) * m + j] + a[(long)(i + 1) * m + j] - a[(long)i * m + j - 1]
                                 - a[(long)i * m + j + 1];
    bad = 0;
    #pragma omp target teams distribute parallel for collapse(2) is_device_ptr(a, b) reduction(+:bad)
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < m - 1; j++)
            bad += b[(long)i * m + j] != (i - 1) % 1000 + (i + 1) % 1000 - 2 * (i % 1000) + j % 100
                                             - ((j - 1) % 100 + (j + 1) % 100) * 0.5f;
    is("matrix, stencil", bad, 0);
    acc_free(a), acc_free(b), acc_free(sums);
}

static void cubes(int n)
{
    float *a = acc_malloc(sizeof *a * n * n * n), *b = acc_malloc(sizeof *b * n * n * n);
#define AT(i, j, k) (((long)(i) * n + (j)) * n + (k))
    #pragma acc parallel loop collapse(3) deviceptr(a)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++) a[AT(i, j, k)] = i + 2 * j + 3 * k;
    #pragma acc kernels deviceptr(a, b)
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
            for (int k = 1; k < n - 1; k++)
                b[AT(i, j, k)] = a[AT(i + 1, j, k)] - a[AT(i - 1, j, k)] + a[AT(i, j + 1, k)]
                                 - a[AT(i, j - 1, k)] + a[AT(i, j, k + 1)] - a[AT(i, j, k - 1)];
    long bad = 0;
    #pragma acc parallel loop gang worker vector collapse(3) deviceptr(b) reduction(+:bad)
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
            for (int k = 1; k < n - 1; k++) bad += b[AT(i, j, k)] != 12;
    is("cube, stencil", bad, 0);
    #pragma acc parallel loop collapse(3) deviceptr(a, b)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++) b[AT(k, i, j)] = a[AT(i, j, k)];
    bad = 0;
    #pragma acc parallel loop gang deviceptr(b) reduction(+:bad)
    for (int i = 0; i < n; i++)
        #pragma acc loop worker reduction(+:bad)
        for (int j = 0; j < n; j++)
            #pragma acc loop vector reduction(+:bad)
            for (int k = 0; k < n; k++) bad += b[AT(i, j, k)] != j + 2 * k + 3 * i;
    is("cube, turned", bad, 0);
    acc_free(a), acc_free(b);
}

/* Running sums, places, and elements that data name. */

static void running(long n)
{
    int *x = acc_malloc(n * sizeof *x), *y = acc_malloc(n * sizeof *y);
    #pragma acc parallel loop deviceptr(x)
    for (long i = 0; i < n; i++) x[i] = i % 1000003 == 17;
    #pragma acc kernels deviceptr(x, y)
    {
        int sum = 0;
        for (long i = 0; i < n; i++) {
            sum += x[i];
            y[i] = sum;
        }
    }
    long bad = 0;
    #pragma acc parallel loop deviceptr(y) reduction(+:bad)
    for (long i = 0; i < n; i++) bad += y[i] != (i + 1000003 - 17) / 1000003;
    is("running sum", bad, 0);
    long place = -1;
    #pragma acc parallel loop deviceptr(y) reduction(max:place)
    for (long i = 0; i < n; i++)
        if (y[i] == 3000) place = i > place ? i : place;
    is("largest place", place, 3000L * 1000003 + 16 < n ? 3000L * 1000003 + 16 : n - 1);
    #pragma acc parallel loop deviceptr(x, y)
    for (long i = 0; i < n; i++) {
        long from = (i * 2147483647L) % n;
        x[i] = y[from];
    }
    bad = 0;
    #pragma acc parallel loop deviceptr(x) reduction(+:bad)
    for (long i = 0; i < n; i++) bad += x[i] != ((i * 2147483647L) % n + 1000003 - 17) / 1000003;
    is("gathered", bad, 0);
    acc_free(x), acc_free(y);
}

/* Copies. */

static void copies(long n)
{
    unsigned char *a = malloc(n);
    for (long i = 0; i < n; i += 4096) a[i] = i >> 12;
    long bad = 0;
    #pragma acc data copy(a[0:n])
    {
        #pragma acc parallel loop reduction(+:bad)
        for (long i = 0; i < n; i += 4096) bad += a[i] != (unsigned char)(i >> 12);
        is("copied to the device", bad, 0);
        #pragma acc parallel loop
        for (long i = 0; i < n; i += 4096) a[i] += 3;
        #pragma acc update self(a[n - 5000:5000]) async(1)
        #pragma acc wait(1)
        long last = (n - 1) / 4096 * 4096;
        is("updated at the end", a[last], (unsigned char)((last >> 12) + 3));
        a[last] = 99;
        #pragma acc update device(a[last:1])
    }
    for (long i = 0; i < n; i += 4096) bad += a[i] != (i + 4096 < n ? (unsigned char)((i >> 12) + 3) : 99);
    is("copied back", bad, 0);
    #pragma omp target teams distribute parallel for map(tofrom: a[0:n])
    for (long i = 0; i < n; i += 4096) a[i] = 7;
    for (long i = 0; i < n; i += 4096) bad += a[i] != 7;
    is("mapped", bad, 0);
    #pragma acc enter data copyin(a[0:n]) async(2)
    #pragma acc parallel loop async(2) present(a[0:n])
    for (long i = 0; i < n; i += 4096) a[i] = 8;
    #pragma acc exit data copyout(a[0:n]) async(2)
    #pragma acc wait
    for (long i = 0; i < n; i += 4096) bad += a[i] != 8;
    is("copied on a queue", bad, 0);
    free(a);
}

int main(void)
{
    bytes(5000000019);
    counted_by_int(1200000001);
    matrices(70001, 61003);
    cubes(1501);
    running(3100000001);
    copies(5000000019);
    puts(wrong ? "wrong" : "right");
    return wrong != 0;
}
