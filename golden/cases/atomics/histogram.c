//! golden ptx: ptx
//! golden explain: explain
//! golden off.ptx: ptx -fno-shared-atomics
//! count ptx: red=101 atom=9
//! count off.ptx: red=90 atom=9
/* Histograms: each gang counts in a copy of its own, unless something of the region could tell. */
static int table[20][4];

/* Bytes: no subscript leads out of the copy. */
void bytes(int n, const unsigned char *x, int *count)
{
#pragma acc parallel loop copyin(x[0 : n]) copy(count[0 : 256])
    for (int i = 0; i < n; i++) {
#pragma acc atomic update
        count[x[i]]++;
    }
}

/* A length that is known at run time only: what lies beyond the copy is updated itself. */
void many(int n, int bins, const int *restrict x, long *restrict count)
{
#pragma acc parallel loop copyin(x[0 : n]) copy(count[0 : bins])
    for (int i = 0; i < n; i++) {
#pragma acc atomic update
        count[x[i]] -= i;
    }
}

/* A section that does not begin where the object does. */
void section(int n, const int *restrict x, unsigned *restrict most)
{
#pragma acc parallel loop copyin(x[0 : n]) copy(most[8 : 8])
    for (int i = 0; i < n; i++) {
#pragma acc atomic update
        most[8 + x[i] % 8] |= 1u << i % 32;
    }
}

/* Two dimensions, and an inner loop that lanes share. */
void plane(int n, const int *restrict x)
{
#pragma acc parallel loop gang copyin(x[0 : n * 64]) copy(table)
    for (int i = 0; i < n; i++) {
#pragma acc loop vector
        for (int j = 0; j < 64; j++) {
#pragma acc atomic update
            table[x[i * 64 + j] % 20][j % 4] += 2;
        }
    }
}

/* Several objects at once, sums of floats among them: no value is changed by a sum of none. */
void clusters(int n, const int *restrict x, float *sum, int *count, double *weight)
{
#pragma acc parallel loop copyin(x[0 : n]) copy(sum[0 : 16], count[0 : 16], weight[0 : 16])
    for (int i = 0; i < n; i++) {
        int at = x[i] % 16;
#pragma acc atomic update
        count[at]++;
        if (at < 12) {
#pragma acc atomic update
            sum[at] += 0.25f;
#pragma acc atomic update
            weight[at] -= 0.5;
        }
    }
}

/* Not so: the old value is used. */
void tickets(int n, const int *restrict x, int *restrict count, int *restrict ticket)
{
#pragma acc parallel loop copyin(x[0 : n]) copy(count[0 : 16]) copyout(ticket[0 : n])
    for (int i = 0; i < n; i++) {
        int mine;
#pragma acc atomic capture
        mine = count[x[i] % 16]++;
        ticket[i] = mine >= 0;
    }
}

/* Nor so: an iteration reads what may be the element that it has updated. */
void looks(int n, int *count, int *seen)
{
#pragma acc parallel loop copy(count[0 : n], seen[0 : n])
    for (int i = 0; i < n; i++) {
#pragma acc atomic update
        count[i] += 3;
        seen[i] = seen[i] + 1;
    }
}

/* Nor so: another operator, which makes a difference. */
void mixed(int n, const int *restrict x, int *restrict count)
{
#pragma acc parallel loop copyin(x[0 : n]) copy(count[0 : 16])
    for (int i = 0; i < n; i++) {
#pragma acc atomic update
        count[x[i] % 8]++;
#pragma acc atomic update
        count[8 + x[i] % 8] &= ~1;
    }
}
