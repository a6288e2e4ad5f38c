//! golden ptx: ptx
//! golden reductions.ir: ir --stage reductions --no-positions
//! golden expand.ir: ir --stage expand --no-positions
//! count ptx: shfl=0 atom=0 red=1 bar=3 barrier=0
/* A worker loop that reduces onto a copy object: a dummy gang reduction with the same loop and reduction ids stands around it. */
int sum(int n)
{
    int a = 7;
#pragma acc parallel num_gangs(1) copy(a)
#pragma acc loop worker reduction(+ : a)
    for (int i = 0; i < n; i++)
        a += i;
    return a;
}
