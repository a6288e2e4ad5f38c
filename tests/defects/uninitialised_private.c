// The private copy of a variable has no value when the loop begins.
// expect: uninitialised value at 9
int main(void)
{
    int offset = 5, a[64];
#pragma acc parallel loop copyout(a) private(offset)
    for (int i = 0; i < 64; i++) {
        if (i > 3)
            a[i] = i + offset;
        else
            a[i] = i;
        offset = a[i];
    }
    return a[0] != 0;
}
