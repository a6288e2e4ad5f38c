//! golden ptx: ptx -fno-launch-numbers
//! golden reductions.ir: ir --stage reductions --no-positions
//! golden expand.ir: ir --stage expand --no-positions
//! count ptx: shfl=20 atom=0 red=0 bar=4 barrier=0
/* One loop over workers and vector lanes: the worker's quad around the vector's. */
void sums(int n, double *restrict out)
{
#pragma acc parallel copyout(out[0 : n])
#pragma acc loop gang
    for (int j = 0; j < n; j++) {
        double a = 0;
#pragma acc loop worker vector reduction(+ : a)
        for (int i = 0; i < n; i++)
            a += i * 0.5;
        out[j] = a;
    }
}
