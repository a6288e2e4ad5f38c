// The array goes while a queue may still write to it.
// expect: this `exit data` frees `a` and does not wait for the queue of `async` without a number, which writes it at 9
int main(void)
{
    static int a[64];
#pragma acc enter data create(a)
#pragma acc parallel loop present(a) async
    for (int i = 0; i < 64; i++) a[i] = i;
#pragma acc exit data delete(a)
#pragma acc wait
    return 0;
}
