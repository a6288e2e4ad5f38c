// The region reads what another queue may still bring.
// expect: add `wait(3)` to this `parallel` at 11
int main(void)
{
    static int a[64], b[64];
    a[63] = 1;
#pragma acc data create(a) copyout(b)
    {
#pragma acc update device(a) async(3)
#pragma acc parallel loop
        for (int i = 0; i < 64; i++) b[i] = a[i];
#pragma acc wait
    }
    return b[63] != 1;
}
