//! golden ptx: ptx
//! golden reductions.ir: ir --stage reductions --no-positions
//! golden expand.ir: ir --stage expand --no-positions
//! count ptx: shfl=40 atom=1 red=0 bar=5 barrier=0
/* A complex product: one quad on the whole value. */
double _Complex product(int n, const double _Complex *restrict x)
{
    double _Complex p = 1;
#pragma acc parallel loop copyin(x[0 : n]) reduction(* : p)
    for (int i = 0; i < n; i++)
        p *= x[i];
    return p;
}
