//! golden align.ir: ir --target ptx --stage align --no-positions
//! golden ptx: ptx
/* Each lane reads a row of its own, element after element: four at a time, if rows are aligned. Lanes all read x. */
void rows(int n, int m, const float *restrict a, const float *restrict x, float *restrict y)
{
#pragma acc parallel loop copyin(a[0 : n * m], x[0 : m]) copyout(y[0 : n])
    for (int i = 0; i < n; i++) {
        float sum = 0;
        for (int k = 0; k < m; k++)
            sum += a[i * m + k] * x[k];
        y[i] = sum;
    }
}

struct spin {
    double re, im;
};

/* Structures are loaded and stored whole. What is stored must not pass what is loaded behind it. */
void spins(int n, const struct spin *from, struct spin *to)
{
#pragma acc parallel loop copyin(from[0 : n]) copy(to[0 : n])
    for (int i = 0; i < n; i++) {
        double re = from[i].re, im = from[i].im;
        to[i].re = re * re - im * im;
        to[i].im = 2 * re * to[i].re;
    }
}

/* Neighbouring lanes read neighbouring elements: one access of one element serves them all. */
void beside(int n, const float *restrict x, float *restrict y)
{
#pragma acc parallel loop copyin(x[0 : n + 4]) copyout(y[0 : n])
    for (int i = 0; i < n; i++)
        y[i] = x[i] + x[i + 1] + x[i + 2] + x[i + 3];
}
