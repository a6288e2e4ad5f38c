// The end of the data region does not wait for the queue that fills the array.
// expect: the end of this data region copies `a` to the host and does not wait for queue 2, which writes it at 6
int main(void)
{
    static int a[64];
#pragma acc data copyout(a)
    {
#pragma acc parallel loop async(2)
        for (int i = 0; i < 64; i++)
            a[i] = i;
    }
    return a[63] != 63;
}
