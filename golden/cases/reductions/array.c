//! golden ptx: ptx -fno-launch-numbers
//! golden reductions.ir: ir --stage reductions --no-positions
//! golden expand.ir: ir --stage expand --no-positions
//! golden gangs.ir: ir --stage expand --gangs 3 --no-positions
//! count ptx: shfl=0 atom=0 red=8 bar=6 barrier=0
/* A whole array as reduction variable. */
void histogram(int n, const unsigned char *restrict x, int *out)
{
    int bins[4] = {0, 0, 0, 0};
#pragma acc parallel loop copyin(x[0 : n]) copy(bins) reduction(+ : bins)
    for (int i = 0; i < n; i++)
        bins[x[i] & 3] += 1;
    for (int i = 0; i < 4; i++)
        out[i] = bins[i];
}
