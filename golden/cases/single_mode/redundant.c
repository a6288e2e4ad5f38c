//! golden ptx: ptx
//! golden explain: explain
/* What only computes is executed by every thread: no barrier, no broadcast before the loop. */
void scale(int n, int m, float *restrict x)
{
#pragma acc parallel loop gang copy(x[0 : n])
    for (int j = 0; j < n / 64; j++) {
        int first = j * 64 + m % 3;
        float factor = first * 0.5f;
#pragma acc loop worker vector
        for (int i = first; i < first + 32; i++)
            x[i] *= factor;
    }
}
