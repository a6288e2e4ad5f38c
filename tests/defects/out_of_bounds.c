// The section is one element too short.
// expect: out of bounds at 9
void scale(int n, float *a)
{
#pragma acc data copy(a[0:n - 1])
    {
#pragma acc parallel loop present(a[0:n - 1])
        for (int i = 0; i < n; i++)
            a[i] *= 2;
    }
}

int main(void)
{
    float a[100];
    for (int i = 0; i < 100; i++)
        a[i] = i;
    scale(100, a);
    return a[99] != 198;
}
