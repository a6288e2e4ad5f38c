//! golden ptx: ptx
//! golden outline.ir: ir --stage outline --no-positions
//! golden map-vars.ir: ir --stage map-vars --no-positions
//! count ptx: shfl=0 atom=0 red=1 bar=3 barrier=0
/* Outside the loop `a` is the mapped object and is rewritten to its address; inside, where the reduction is active, it is LOCAL and is not. */
int f(int n)
{
    int a, b = 0;
#pragma acc parallel num_gangs(1) copy(a, b) num_workers(5)
    {
        a = 5;
#pragma acc loop worker reduction(+ : a)
        for (int i = 0; i < n; i++)
            a += i;
        if (a > 10)
            b = a;
    }
    return b;
}
