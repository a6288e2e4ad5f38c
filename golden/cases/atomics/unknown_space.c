//! golden ptx: ptx
/* Atomic updates through a pointer that leads to memory of the thread or to memory that threads share. */
#pragma acc routine seq
__attribute__((noinline)) void add(int *counter, float *sum, float value)
{
#pragma acc atomic
    *counter += 1;
#pragma acc atomic
    *sum *= value;
}

void both(int n, int *restrict count, float *restrict product)
{
#pragma acc parallel loop copy(count[0 : 1], product[0 : n])
    for (int i = 0; i < n; i++) {
        int own = 0;
        float mine = 1;
        add(&own, &mine, product[i]);
        add(count, &product[i], mine + own);
    }
}
