//! golden ptx: ptx
//! golden out: run
//! golden gangs.out: run --gangs 3
//! golden expand.ir: ir --stage expand --no-positions
//! count ptx: shfl=0 atom=0 red=0 bar=0 barrier=0
/* The private copy starts at the identity and is combined with the original at the end, even where it is assigned. */
int printf(const char *, ...);
int main(void)
{
    int x = 123;
#pragma acc parallel num_gangs(1) reduction(+ : x)
    {
        x = 23;
    }
    printf("%d\n", x);
}
