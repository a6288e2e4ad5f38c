// Where a section has no stride, and strides that are none.
// options: -fopenmp
// expect-error: non-contiguous-section at 14
// expect-error: non-contiguous-section at 16
// expect-error: non-contiguous-section at 19
// expect-error: array-section-bounds at 22
// expect-error: array-section-bounds at 23
// expect-error: array-section at 24
// expect-error: expected-token at 25
// The clause that is wrong is not missed, too.
// expect-text: only `to` and `from` of `target update` take a stride
void wrong(int *a, int n, int b[10], int c[3][4])
{
#pragma omp target map(a[0:n:2])
    a[0] = 1;
#pragma omp target data map(tofrom : a[0:n:n])
    ;
    int line[10] = { 0 }, sum = 0;
#pragma omp parallel for reduction(+ : line[0:5:2])
    for (int i = 0; i < n; i++)
        line[i] += i;
#pragma omp target update from(line[2:5:2])
#pragma omp target update from(line[0:5:-1])
#pragma omp target update from(line[0:5:2.0])
#pragma acc update self(line[0:5:2])
    // A stride of 1 is none.
#pragma omp target map(tofrom : line[0:10:1])
    line[sum]++;
}
