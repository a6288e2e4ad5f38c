// The region's result stays on the device: `create` where `copyout` is meant.
// expect: what is written here is freed before anything reads it or copies it back at 11
// status: 1
int main(void)
{
    int a[64], b[64] = {0};
    for (int i = 0; i < 64; i++)
        a[i] = i;
#pragma acc parallel loop copyin(a) create(b)
    for (int i = 0; i < 64; i++)
        b[i] = 2 * a[i];
    return b[63] != 126;
}
