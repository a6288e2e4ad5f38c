// A sum without its reduction clause.
// expect: data race at 10
int main(void)
{
    int s = 0, a[64];
    for (int i = 0; i < 64; i++)
        a[i] = i;
#pragma acc parallel loop copyin(a) copy(s)
    for (int i = 0; i < 64; i++)
        s += a[i];
    return s != 2016;
}
