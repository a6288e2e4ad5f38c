//! golden ptx: ptx -fno-launch-numbers
//! golden reductions.ir: ir --stage reductions --no-positions
//! golden expand.ir: ir --stage expand --no-positions
//! count ptx: shfl=12 atom=0 red=2 bar=5 barrier=0
/* Nested reductions of one variable: the inner RESULT is the outer LOCAL. */
long total(int n)
{
    long a = 1;
#pragma acc parallel copy(a)
#pragma acc loop gang reduction(+ : a)
    for (int k = 0; k < n; k++)
#pragma acc loop worker reduction(+ : a)
        for (int j = 0; j < n; j++)
#pragma acc loop vector reduction(+ : a)
            for (int i = 0; i < n; i++)
                a += i ^ j ^ k;
    return a;
}
