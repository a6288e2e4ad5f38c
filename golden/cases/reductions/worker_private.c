//! golden ptx: ptx
//! golden reductions.ir: ir --stage reductions --no-positions
//! golden expand.ir: ir --stage expand --no-positions
//! count ptx: shfl=0 atom=0 red=1 bar=3 barrier=0
/* A worker loop that reduces onto a variable of the gang: no RESULT, LOCAL is the variable itself. */
void sums(int n, int *restrict out)
{
#pragma acc parallel copyout(out[0 : n])
#pragma acc loop gang
    for (int j = 0; j < n; j++) {
        int a = 0;
#pragma acc loop worker reduction(+ : a)
        for (int i = 0; i < n; i++)
            a += i * j;
        out[j] = a;
    }
}
