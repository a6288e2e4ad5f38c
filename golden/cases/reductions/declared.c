//! golden ptx: ptx -fopenmp
//! golden reductions.ir: ir -fopenmp --stage reductions --no-positions
//! golden expand.ir: ir -fopenmp --stage expand --no-positions
//! count ptx: shfl=25 atom=1 red=0 bar=12 barrier=0
/* Functions of the program combine: the combiner and the initialiser of a declared reduction. */
struct best {
    double value;
    int index;
};
#pragma omp declare reduction(best : struct best : omp_out = omp_in.value < omp_out.value ? omp_in : omp_out) \
    initializer(omp_priv = {1e300, -1})

struct best least(int n, const double *a)
{
    struct best best = {1e300, -1};
#pragma omp target teams distribute parallel for map(to : a[0 : n]) reduction(best : best)
    for (int i = 0; i < n; i++)
        if (a[i] < best.value)
            best = (struct best){a[i], i};
    return best;
}
