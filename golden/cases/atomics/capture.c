//! golden ptx: ptx
//! count ptx: atom=11 red=0
/* `atomic capture`: the value before and after, statements in either order, exchange, on types of every width. */
void capture(int n, int *restrict i, double *restrict d, short *restrict s, long *restrict l, int *restrict out)
{
#pragma acc parallel loop gang vector copy(i[0 : 8], d[0 : 4], s[0 : 4], l[0 : 4]) copyout(out[0 : n])
    for (int k = 0; k < n; k++) {
        int old, new, mixed = 0;
        double before;
        long last;
        short narrow;
#pragma acc atomic capture
        old = i[0]++;
#pragma acc atomic capture
        new = ++i[1];
#pragma acc atomic capture
        new = i[2] += old;
#pragma acc atomic capture
        new = i[3] = new - i[3];
#pragma acc atomic capture
        {
            mixed = i[4];
            i[4] |= k;
        }
#pragma acc atomic capture
        {
            i[5] ^= k;
            old = i[5];
        }
#pragma acc atomic capture
        {
            before = d[0];
            d[0] = k;
        }
#pragma acc atomic capture
        {
            d[1] *= 2;
            before = d[1];
        }
#pragma acc atomic capture
        {
            narrow = s[0];
            s[0] = k;
        }
#pragma acc atomic capture
        narrow = s[1] += narrow;
#pragma acc atomic capture
        last = l[0]--;
        out[k] = old + new + mixed + (int)before + (int)last + narrow;
    }
}
