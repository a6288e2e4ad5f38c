//! golden ptx: ptx
/* A condition in single mode decides between two loops: the number of the exit is part of the record. */
void choose(int n, int *restrict seen, int *restrict a, int *restrict b)
{
#pragma acc parallel num_gangs(4) copy(seen[0 : 4], a[0 : n], b[0 : n])
    {
        seen[1] = seen[0] + 1;
        if (seen[1] > 3) {
#pragma acc loop worker
            for (int i = 0; i < n; i++)
                a[i] = i;
        } else {
#pragma acc loop worker
            for (int i = 0; i < n; i++)
                b[i] = i;
        }
    }
}
