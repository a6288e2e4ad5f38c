// The stencil works in place. What it computes is there already, this time.
// expect: one thread reads and another stores the value that is there already at 9
int main(void)
{
    double a[1000];
    for (int i = 0; i < 1000; i++)
        a[i] = i;
#pragma acc parallel loop copy(a)
    for (int i = 1; i < 999; i++) a[i] = 0.5 * (a[i - 1] + a[i + 1]);
    return a[5] != 5;
}
