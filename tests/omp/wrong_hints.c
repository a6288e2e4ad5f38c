// `error` when the program is compiled, and wrong clauses of directives that tell something.
// options: -fopenmp
// expect-error: omp-error at 13
// expect-warning: omp-warning at 14
// expect-error: clause-argument at 15
// expect-error: clause-argument at 16
// expect-error: unknown-modifier at 17
// expect-error: clause-not-allowed at 18
// expect-error: omp-error at 23
// expect-text: `omp error` was encountered: one two
void wrong(const char *text, int number)
{
#pragma omp error
#pragma omp error severity(warning) message("one " "two")
#pragma omp error message(text)
#pragma omp error at(execution) message(number)
#pragma omp error at(execution) severity(deadly)
#pragma omp assume message("x")
    {
        number++;
    }
}
#pragma omp error at(compilation)
