//! golden ptx: ptx -fno-launch-numbers
//! golden sm_70.ptx: ptx -fno-launch-numbers --arch sm_70
/* Every form of atomic, on several types. */
void forms(int n, int *restrict i, unsigned char *restrict c, double *restrict d, long *restrict l)
{
#pragma acc parallel loop gang vector copy(i[0 : 4], c[0 : 4], d[0 : 4], l[0 : 4])
    for (int k = 0; k < n; k++) {
        int old;
        long before;
        double read;
#pragma acc atomic update
        i[0] += k;
#pragma acc atomic capture
        old = i[1]++;
#pragma acc atomic write
        l[0] = old;
#pragma acc atomic read
        read = d[0];
#pragma acc atomic update
        d[1] = d[1] + read;
#pragma acc atomic update
        d[2] *= 1.5;
#pragma acc atomic update
        c[0]++;
#pragma acc atomic capture
        {
            before = l[1];
            l[1] = k;
        }
#pragma acc atomic update
        l[2] = before - l[2];
    }
}
