// Iterations set a flag: all to the same value, but OpenACC orders none of them.
// expect: two threads store the same value in the same memory at 11
int main(void)
{
    int a[64], found = 0;
    for (int i = 0; i < 64; i++)
        a[i] = i;
#pragma acc parallel loop copyin(a) copy(found)
    for (int i = 0; i < 64; i++) {
        if (a[i] % 5 == 3)
            found = 1;
    }
    return found != 1;
}
