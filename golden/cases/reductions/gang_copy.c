//! golden ptx: ptx
//! golden lower.ir: ir --stage lower
//! golden outline.ir: ir --stage outline --no-positions
//! golden reductions.ir: ir --stage reductions --no-positions
//! golden expand.ir: ir --stage expand --no-positions
//! golden gangs.ir: ir --stage expand --gangs 3 --no-positions
//! count ptx: shfl=0 atom=0 red=1 bar=0 barrier=0
/* A gang loop that reduces onto a copy object: the quad has the mapped variable as its RESULT. */
int sum(int n)
{
    int a = 7;
#pragma acc parallel copy(a) num_workers(1)
#pragma acc loop gang reduction(+ : a)
    for (int i = 0; i < n; i++)
        a += i;
    return a;
}
