//! golden ptx: ptx
//! golden explain: explain
/* Loops over gangs only, or over gangs and some of their threads, are shared by all threads, unless a gang has something of its
   own, or iterations wait for each other: lanes of a warp might do so for good. */
void gangs(int n, const float *restrict x, float *restrict y)
{
#pragma acc parallel loop gang present(x, y)
    for (int i = 0; i < n; i++)
        y[i] = 2 * x[i];
}

void lanes(int n, const float *restrict x, float *restrict y)
{
#pragma acc parallel loop gang vector present(x, y)
    for (int i = 0; i < n; i++)
        y[i] = 2 * x[i];
}

void own(int n, float *restrict y)
{
#pragma acc parallel present(y)
    {
        float last[4] = {0, 1, 2, 3};
#pragma acc loop gang
        for (int i = 0; i < n; i++)
            y[i] = last[i & 3]++;
    }
}

void locked(int n, const int *restrict x, int *restrict lock, int *restrict sum)
{
#pragma acc parallel loop gang present(x, lock[0 : 1], sum[0 : 1])
    for (int i = 0; i < n; i++) {
        int taken;
        do {
#pragma acc atomic capture
            {
                taken = *lock;
                *lock = 1;
            }
        } while (taken);
#pragma acc atomic update
        *sum += x[i];
#pragma acc atomic write
        *lock = 0;
    }
}
