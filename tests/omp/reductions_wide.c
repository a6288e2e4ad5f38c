// options: -fopenmp
// Reductions of numbers of 128 bits: the copies start with the least or the largest of them.
#include <stdio.h>

typedef __int128 wide;
typedef unsigned __int128 large;

enum { N = 64 };

static void show(const char *name, large value)
{
    printf("%s %lx %016lx\n", name, (unsigned long)(value >> 64), (unsigned long)value);
}

int main(void)
{
    large values[N], low = ~(large)0, high = 0, rows[3] = {~(large)0, 5, ~(large)0};
    wide least = ((wide)1 << 126), most = -least, product = 1;
    for (int i = 0; i < N; i++)
        values[i] = ((large)(i * 37 % N + 1) << 121) + i;
#pragma omp parallel for reduction(min : low, least) reduction(max : high, most) reduction(* : product)
    for (int i = 0; i < N; i++) {
        if (values[i] < low)
            low = values[i];
        high = high < values[i] ? values[i] : high;
        wide from = (wide)values[i] / 3;
        least = from < least ? from : least;
        most = most < from ? from : most;
        product *= 3;
    }
    show("low", low);
    show("high", high);
    show("least", (large)least);
    show("most", (large)most);
    show("product", (large)product);

#pragma omp parallel for reduction(min : rows[:2])
    for (int i = 0; i < N; i++)
        rows[0] = values[i] / 5 < rows[0] ? values[i] / 5 : rows[0];
    show("row", rows[0]);
    show("untouched", rows[1]);

    // A thread without iterations leaves the original as it is.
    large kept = 4;
#pragma omp parallel reduction(min : kept)
    {
    }
    show("kept", kept);

    large so_far = ~(large)0, sum = 0;
#pragma omp parallel for reduction(inscan, min : so_far) reduction(+ : sum)
    for (int i = 0; i < N; i++) {
        so_far = values[i] < so_far ? values[i] : so_far;
#pragma omp scan inclusive(so_far)
        sum += so_far;
    }
    show("so far", so_far);
    show("sum", sum);

    large found = ~(large)0;
#pragma omp parallel
#pragma omp single
#pragma omp taskloop reduction(min : found) grainsize(5)
    for (int i = 0; i < N; i++)
        found = values[i] < found ? values[i] : found;
    show("found", found);
    return 0;
}
