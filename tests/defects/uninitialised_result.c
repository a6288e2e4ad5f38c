// The variable has a value in some iterations only, and what the others leave goes to the host.
// expect: the host gets a value that was never set at 12
int main(void)
{
    int last = 3, a[64], b[64];
    for (int i = 0; i < 64; i++)
        a[i] = i;
#pragma acc parallel loop copyin(a) copyout(b) private(last)
    for (int i = 0; i < 64; i++) {
        if (a[i] > 3)
            last = a[i];
        b[i] = last;
    }
    return b[5] != 5;
}
