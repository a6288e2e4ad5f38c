//! golden ptx: ptx -fno-launch-numbers
/* Rows of several warps meet at barrier objects, and tell through shared memory. */
void sums(int n, int *restrict count, float *restrict x, float *restrict out)
{
#pragma acc parallel loop gang worker num_workers(4) vector_length(128) copy(count[0 : n], x[0 : n * 128]) copyout(out[0 : n])
    for (int j = 0; j < n; j++) {
        count[j]++;
        float f = count[j], sum = 0;
#pragma acc loop vector reduction(+ : sum)
        for (int i = 0; i < 128; i++)
            sum += x[j * 128 + i] * f;
        out[j] = sum;
    }
}
