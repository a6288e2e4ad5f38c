//! golden ptx: ptx
//! golden explain: explain
/* Code that reads memory is executed by every thread, too; a barrier keeps the loop from overwriting what is still read, if it
   may be what the loop writes. */
void rows(int n, const int *restrict start, double *restrict value)
{
#pragma acc parallel loop gang copyin(start[0 : n + 1]) copy(value[0 : n])
    for (int j = 0; j < n; j++) {
        int first = start[j], last = start[j + 1];
#pragma acc loop worker
        for (int i = first; i < last; i++)
            value[i] += 1;
    }
}

void perhaps_the_same(int n, const int *start, int *value)
{
#pragma acc parallel loop gang copyin(start[0 : n + 1]) copy(value[0 : n])
    for (int j = 0; j < n; j++) {
        int first = start[j], last = start[j + 1];
#pragma acc loop worker
        for (int i = first; i < last; i++)
            value[i] += 1;
    }
}
