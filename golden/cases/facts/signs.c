//! golden lower.ir: ir --stage lower --no-positions
//! golden signs.ir: ir --stage signs --no-positions
//! golden ptx: ptx
// Where numbers change between signed and unsigned: sums of the one kind wrap around, those of the other do not.

#pragma acc routine seq
static int turned(unsigned u, int i)
{
    return u + i;
}

void signs(int n, unsigned u, unsigned long l, const int *a, int *b, unsigned char *c)
{
    int sum = 0;
#pragma acc parallel loop copyin(a[0:n]) copy(b[0:2 * n], c[0:n]) reduction(+ : sum)
    for (int i = 0; i < n; i++) {
        b[i] = a[(unsigned)i - u];
        b[n + i - 2ul * l] += turned(u, i);
        c[i]++;
        c[i] += u;
        sum += u;
    }
    b[0] += sum;
}
