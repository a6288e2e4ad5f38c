//! golden ptx: ptx -fno-launch-numbers
//! golden explain: explain
/* Single mode of lanes inside of a worker loop: lane 0 writes, a shuffle tells the others. */
void rows(int n, int *restrict count, float *restrict x)
{
#pragma acc parallel loop gang worker num_workers(4) vector_length(32) copy(count[0 : n], x[0 : n * 32])
    for (int j = 0; j < n; j++) {
        int old = count[j];
        count[j] = old + 1;
        float f = count[j];
#pragma acc loop vector
        for (int i = 0; i < 32; i++)
            x[j * 32 + i] *= f;
    }
}
