//! golden reload.ir: ir --target ptx --stage reload --no-positions
/* The iterations of a thread load forty numbers again instead of keeping them; the three of a parabola they keep. */
void moments(int n, const float *restrict x, const float *restrict place, float *restrict y)
{
#pragma acc parallel loop copyin(x[0 : n], place[0 : 40]) copyout(y[0 : n])
    for (int i = 0; i < n; i++) {
        float sum = 0;
        for (int k = 0; k < 40; k++)
            sum += (x[i] - place[k]) * (x[i] - place[k]);
        y[i] = sum;
    }
}

void parabola(int n, const float *restrict scale, float *restrict y)
{
#pragma acc parallel loop copyin(scale[0 : 3]) copy(y[0 : n])
    for (int i = 0; i < n; i++)
        y[i] = (y[i] * scale[0] + scale[1]) * y[i] + scale[2];
}
