//! golden ptx: ptx
/* Two loops as one, with a constant number of gangs, and a contiguous share for each gang. */
void both(int n, int m, float *restrict a)
{
#pragma acc parallel num_gangs(16) copyout(a[0 : n * m])
#pragma acc loop gang(static : *) vector collapse(2)
    for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++)
            a[j * m + i] = j - i;
}
