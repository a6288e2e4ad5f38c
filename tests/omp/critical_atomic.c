// options: -fopenmp
// `critical` with and without names, also across functions; `atomic` in all forms.
#include <stdio.h>

static long shared_sum;

static void add(long value)
{
#pragma omp critical(sum)
    shared_sum += value;
}

int main(void)
{
    enum { N = 2000 };
    long plain = 0, other = 0;
#pragma omp parallel
    {
#pragma omp for
        for (int i = 0; i < N; i++) {
#pragma omp critical
            plain = plain + i;
#pragma omp critical(sum)
            shared_sum += 1;
            add(i);
#pragma omp critical(other) hint(0)
            {
                long before = other;
                // A critical section within one of another name.
#pragma omp critical(inner)
                other = before + 2;
            }
        }
    }
    printf("%ld %ld %ld\n", plain, shared_sum, other);

    int updated = 0, low = 1 << 30;
    long captured = 0, tickets = 0, written = 0;
    double real = 0;
    unsigned char small = 0;
#pragma omp parallel for reduction(+ : captured)
    for (int i = 0; i < N; i++) {
        long mine;
#pragma omp atomic
        updated += 3;
#pragma omp atomic update
        real = real + 0.5;
#pragma omp atomic
        small++;
#pragma omp atomic capture
        mine = tickets++;
        captured += mine;
#pragma omp atomic write
        written = 77;
        long seen;
#pragma omp atomic read
        seen = written;
        if (seen != 77)
            captured = -1;
#pragma omp atomic capture seq_cst
        {
            mine = low;
            low = low - 1;
        }
    }
    printf("%d %g %d %ld %ld %ld %d\n", updated, real, small, captured, tickets, written, (1 << 30) - low);
    return 0;
}
