//! golden ptx: ptx
/* Short rows: what is left of them behind four elements at once is loaded at once, too. */

/* Each row by a thread: its sum, its least element, and its last one. */
void rows(int n, int length, const int *restrict x, int *restrict sums, int *restrict least, int *restrict last)
{
#pragma acc parallel loop present(x, sums, least, last)
    for (int i = 0; i < n; i++) {
        int sum = 0, found = 1 << 30, end = -1;
        for (int k = 0; k < length; k++) {
            end = x[i * length + k];
            sum += end * (k + 1);
            found = end < found ? end : found;
        }
        sums[i] = sum;
        least[i] = found;
        last[i] = end;
    }
}

/* The same sums in longer steps, of which the caller knows where they begin and end. */
void steps(int n, const unsigned *restrict from, const unsigned *restrict to, const long *restrict x, long *restrict sums)
{
#pragma acc parallel loop present(from, to, x, sums)
    for (int i = 0; i < n; i++) {
        long sum = i;
        for (int k = from[i]; k < (int)to[i]; k += 3)
            sum = sum * 3 + x[k];
        sums[i] = sum;
    }
}

/* Each row by as many lanes as the launch chooses. */
void by_lanes(int n, int length, const int *restrict x, int *restrict sums)
{
#pragma acc parallel loop gang present(x, sums)
    for (int i = 0; i < n; i++) {
        int sum = 0;
#pragma acc loop vector reduction(+:sum)
        for (int k = 0; k < length; k++)
            sum += x[i * length + k] * (k + 1);
        sums[i] = sum;
    }
}
