// options: -fopenmp
// Loops that compare and swap until nobody has come in between: values that come again are no locks.
#include <stdio.h>

int main(void)
{
    unsigned char small = 4;
    int whole = 4;
    long wide = 4;
#pragma omp target parallel for simd map(tofrom : small, whole, wide)
    for (int i = 0; i < 320; i++) {
        unsigned char seen;
        int found, done = 0;
        while (!done) {
#pragma omp atomic read
            seen = small;
#pragma omp atomic compare capture weak fail(relaxed)
            { done = small == seen; if (done) { small = seen ^ i % 2; } }
        }
        done = 0;
#pragma omp atomic read
        found = whole;
        while (!done) {
#pragma omp atomic compare capture
            { done = whole == found; if (done) { whole = found ^ 1; } else { found = whole; } }
        }
        done = 0;
        while (!done) {
            long held;
#pragma omp atomic read
            held = wide;
#pragma omp atomic compare capture seq_cst fail(acquire)
            { done = wide == held; if (done) { wide = held + (i % 2 ? 3 : -3); } }
        }
    }
    printf("%d %d %ld\n", small, whole, wide);
    return 0;
}
