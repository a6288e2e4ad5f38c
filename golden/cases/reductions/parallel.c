//! golden ptx: ptx
//! golden reductions.ir: ir --stage reductions --no-positions
//! golden expand.ir: ir --stage expand --no-positions
//! golden gangs.ir: ir --stage expand --gangs 3 --no-positions
//! count ptx: shfl=0 atom=0 red=1 bar=0 barrier=0
/* A reduction on the construct: a null outer gang loop carries it around gang-redundant code. */
int count(void)
{
    int a = 100;
#pragma acc parallel num_gangs(3) copy(a) reduction(+ : a)
    a += 1;
    return a;
}
