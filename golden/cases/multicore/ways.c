//! golden expand.ir: ir --stage expand --target multicore --no-positions
//! golden ordered.ir: ir --stage expand --target multicore --deterministic --no-positions
//! golden explain: explain --target multicore
//! golden ordered.explain: explain --target multicore --deterministic
/* Each way in which gangs on threads of the host combine, and the blocks and chunks that they get. */
void ways(int n, const double *restrict x, double *restrict sum, unsigned char *restrict any, int bins[3])
{
    double s = 0;
    short most = -1;
    _Bool some = 0;
#pragma acc parallel loop copyin(x[0 : n]) reduction(+ : s) reduction(max : most) reduction(|| : some)
    for (int i = 0; i < n; i++) {
        s += x[i];
        most = i > most ? i : most;
        some = some || x[i] > 1;
    }
#pragma acc parallel loop gang(static : 4) num_gangs(6) copyin(x[0 : n]) copy(bins[0 : 3]) reduction(+ : bins[0 : 3])
    for (long i = n - 1; i >= 0; i--)
        bins[i % 3] += x[i] > 0;
#pragma acc parallel loop gang(dim : 2) copyin(x[0 : n]) reduction(+ : s)
    for (int i = 0; i < n; i++)
#pragma acc loop gang(dim : 1) reduction(+ : s)
        for (int j = 0; j < 4; j++)
            s += x[i] * j;
    *sum = s + most;
    *any = some;
}
