// A variable in two clauses that say different things.
// expect-error: conflicting-clauses at 9
// expect-error: conflicting-clauses at 12
// expect-error: conflicting-clauses at 15
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
