// `create` where `copyin` is meant: everything that comes back is a copy of what nobody wrote.
// expect: nothing was ever set at 9
int main(void)
{
    double a[64], b[64];
    for (int i = 0; i < 64; i++)
        a[i] = i;
#pragma acc parallel loop create(a) copyout(b)
    for (int i = 0; i < 64; i++) b[i] = a[i];
    return b[5] != 5;
}
