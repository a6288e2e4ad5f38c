//! golden ptx: ptx
//! golden reductions.ir: ir --stage reductions --no-positions
//! golden expand.ir: ir --stage expand --no-positions
//! count ptx: shfl=10 atom=1 red=0 bar=4 barrier=0
/* A maximum by a conditional assignment merely accumulates, so LOCAL keeps its original value on the host. */
float largest(int n, const float *restrict x)
{
    float m = x[0];
#pragma acc parallel loop copyin(x[0 : n]) reduction(max : m)
    for (int i = 0; i < n; i++)
        if (x[i] > m)
            m = x[i];
    return m;
}
