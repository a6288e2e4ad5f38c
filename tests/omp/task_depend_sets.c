// options: -fopenmp
// `mutexinoutset`: one at a time in any order; `inoutset`: together; both behind writers and before readers.
#include <stdio.h>

int main(void)
{
    long sum = 0, inside = 0, most = 0, other = 0;
    int parts[8] = { 0 }, before = 0, after = 0;
#pragma omp parallel
#pragma omp single
    {
#pragma omp task depend(out : sum, other) shared(sum, other)
        sum = other = 1000;
        for (int i = 0; i < 50; i++) {
#pragma omp task depend(mutexinoutset : sum) shared(sum, inside, most) firstprivate(i)
            {
                // No atomic operation: the tasks exclude each other.
                inside++;
                most = inside > most ? inside : most;
                sum = sum + i;
                inside--;
            }
            if (i % 5 == 0) {
#pragma omp task depend(mutexinoutset : sum, other) shared(sum, other)
                {
                    sum = sum + 1;
                    other = other + 2;
                }
            }
        }
#pragma omp task depend(in : sum, other) shared(sum, other)
        printf("%ld %ld\n", sum, other);
#pragma omp task depend(out : before) shared(before)
        before = 5;
        for (int i = 0; i < 8; i++) {
#pragma omp task depend(in : before) depend(inoutset : parts[0]) shared(before, parts) firstprivate(i)
            parts[i] = before + i;
        }
#pragma omp task depend(in : parts[0]) shared(parts, after)
        for (int i = 0; i < 8; i++)
            after += parts[i];
        for (int i = 0; i < 8; i++) {
#pragma omp task depend(inoutset : parts[0]) shared(parts) firstprivate(i)
            parts[i] *= 2;
        }
#pragma omp task depend(inout : parts[0]) shared(parts, after)
        for (int i = 0; i < 8; i++)
            after += 100 * parts[i];
    }
    printf("at once %ld, after %d\n", most, after);
    return 0;
}
