// The second queue does not wait for the first.
// expect: data race at 12
int main(void)
{
    int a[64];
#pragma acc data create(a)
    {
#pragma acc parallel loop async(1)
        for (int i = 0; i < 64; i++)
            a[i] = i;
#pragma acc parallel loop async(2)
        for (int i = 0; i < 64; i++) a[i] += 1;
#pragma acc wait
#pragma acc update self(a)
    }
    return a[63] != 64;
}
