// A parallel loop that accumulates into a shared scalar without a reduction clause, and a nested loop that lacks the
// clause its parent has: warnings that name the clause to add.
// expect-warning: missing-reduction at 12
// expect-warning: nested-reduction-missing at 19
// expect-text: reduction(+:s)
// expect-text: reduction(max:m)
int main(void)
{
    int s = 0, m = 0, b[10][10] = {{0}};

    // The loop is partitioned, and `s` belongs to all.
#pragma acc parallel loop gang copy(s)
    for (int i = 0; i < 10; i++)
        s += i;

#pragma acc parallel loop gang reduction(max:m) copyin(b)
    for (int i = 0; i < 10; i++)
    {
#pragma acc loop vector
        for (int j = 0; j < 10; j++)
            m = m > b[i][j] ? m : b[i][j];
    }
    return s + m;
}
