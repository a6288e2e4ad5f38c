// The host asks whether work is done, in three ways, and never waits for it.
#include <openacc.h>
#include <stdio.h>

int main(void)
{
    int a = 42, b = 42, c = 42, is_done = 0;
#pragma acc parallel async(7) copy(a)
    a++;
    while (!acc_async_test_all())
        ;
    printf("%d\n", a);
#pragma omp target nowait depend(out : b) map(tofrom : b)
    b *= 2;
    // A host task behind the target task tells; nobody waits for either.
#pragma omp task depend(in : b) shared(is_done)
    {
#pragma omp atomic write
        is_done = 1;
    }
    for (int seen = 0; !seen;) {
#pragma omp taskyield
#pragma omp atomic read
        seen = is_done;
    }
    printf("%d\n", b);
    is_done = 0;
#pragma omp target nowait depend(out : c) map(tofrom : c)
    c += 23;
#pragma omp parallel num_threads(2) shared(is_done)
    {
#pragma omp single
        {
#pragma omp target nowait depend(out : a) map(tofrom : a)
            a++;
#pragma omp task depend(in : a) shared(is_done)
            {
#pragma omp atomic write
                is_done = 1;
            }
            // The other thread, which has nothing to do, is to execute it.
            int seen = 0;
            while (!seen) {
#pragma omp atomic read
                seen = is_done;
            }
        }
    }
#pragma omp taskwait
    printf("%d\n", c);
    return 0;
}
