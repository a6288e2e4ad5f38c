// A nested loop reduces the variable of its parent with another operator.
// expect-warning: nested-reduction-operator at 10
int main(void)
{
    int s = 1;

#pragma acc parallel loop gang reduction(+:s)
    for (int i = 0; i < 10; i++)
    {
#pragma acc loop vector reduction(*:s)
        for (int j = 0; j < 10; j++)
            s *= 2;
    }
    return s;
}
