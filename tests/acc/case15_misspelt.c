// Misspelt directives and clauses are errors, with a suggestion.
// expect-error: unknown-clause at 20
// expect-error: unknown-clause at 23
// expect-error: unknown-directive at 26
// expect-error: unknown-directive at 29
// expect-error: unknown-clause at 30
// expect-error: unknown-directive at 31
// expect-error: unknown-clause at 32
// expect-text: reduction
// expect-text: vector_length
// expect-text: parallel
// expect-text: private
// expect-text: enter
// expect-text: wait
// expect-text: async
int main(void)
{
    int s = 0, a[10] = {0};

#pragma acc parallel loop redution(+:s)
    for (int i = 0; i < 10; i++)
        s += i;
#pragma acc parallel loop vector_lenght(32) copyin(a)
    for (int i = 0; i < 10; i++)
        ;
#pragma acc paralel loop
    for (int i = 0; i < 10; i++)
        ;
#pragma acc wiat
#pragma acc update asnyc(1) self(a)
#pragma acc entr data copyin(a)
#pragma acc parallel pivate(s)
    {
    }
    return s;
}
