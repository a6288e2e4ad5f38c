// Each iteration needs the one before: the loop is not for gangs.
// expect: data race at 9
int main(void)
{
    int a[64];
    a[0] = 1;
#pragma acc parallel loop gang copy(a)
    for (int i = 1; i < 64; i++)
        a[i] = a[i - 1] + 1;
    return a[63] != 64;
}
