//! golden ptx: ptx
//! count ptx: atom=0 red=0 ld.relaxed=6 st.relaxed=6
/* `atomic read` and `atomic write`: relaxed accesses of one piece, whatever the type. */
void read_write(int n, char *restrict c, short *restrict s, int *restrict i, long *restrict l, float *restrict f,
                double *restrict d)
{
#pragma acc parallel loop gang vector copy(c[0 : 2], s[0 : 2], i[0 : 2], l[0 : 2], f[0 : 2], d[0 : 2])
    for (int k = 0; k < n; k++) {
        char c1;
        short s1;
        int i1;
        long l1;
        float f1;
        double d1;
#pragma acc atomic read
        c1 = c[0];
#pragma acc atomic read
        s1 = s[0];
#pragma acc atomic read
        i1 = i[0];
#pragma acc atomic read
        l1 = l[0];
#pragma acc atomic read
        f1 = f[0];
#pragma acc atomic read
        d1 = d[0];
#pragma acc atomic write
        c[1] = c1;
#pragma acc atomic write
        s[1] = s1;
#pragma acc atomic write
        i[1] = i1;
#pragma acc atomic write
        l[1] = l1;
#pragma acc atomic write
        f[1] = f1;
#pragma acc atomic write
        d[1] = d1;
    }
}
