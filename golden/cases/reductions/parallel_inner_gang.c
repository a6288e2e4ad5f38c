//! golden ptx: ptx
//! golden reductions.ir: ir --stage reductions --no-positions
//! golden expand.ir: ir --stage expand --no-positions
//! count ptx: shfl=0 atom=0 red=1 bar=0 barrier=0
/* A reduction on the construct and on a gang loop inside it: the loop adds nothing to the construct's quad. */
int count(int n)
{
    int a = 100;
#pragma acc parallel copy(a) num_workers(1) reduction(+ : a)
    {
        a += 1;
#pragma acc loop gang reduction(+ : a)
        for (int i = 0; i < n; i++)
            a += i;
        a += 1;
    }
    return a;
}
