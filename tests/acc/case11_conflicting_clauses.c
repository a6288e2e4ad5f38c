// A variable in two clauses that say different things.
// expect-error: duplicate-variable at 9
// expect-warning: duplicate-variable at 12
// expect-warning: repeated-variable at 15
int main(void)
{
    int s = 0;

#pragma acc parallel loop reduction(+:s) reduction(*:s)
    for (int i = 0; i < 10; i++)
        s += i;
#pragma acc parallel loop private(s) reduction(+:s)
    for (int i = 0; i < 10; i++)
        s += i;
#pragma acc parallel copyin(s) copyout(s)
    {
    }
    return s;
}
