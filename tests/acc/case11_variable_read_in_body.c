// The reduction variable is read in the loop body, other than to accumulate.
// also: --gangs 3
#include <stdio.h>

enum { N = 400 };
static int a[N];

#pragma acc routine vector
static int largest_of(const int *row, int n)
{
    int largest = -1;
#pragma acc loop vector reduction(max:largest)
    for (int i = 0; i < n; i++)
        if (row[i] > largest)
            largest = row[i];
    return largest;
}

int main(void)
{
    int sum = 7, expected = 7, largest = -5, count = 0, seen = 0;
    for (int i = 0; i < N; i++) {
        a[i] = i * 37 % 199;
        expected += a[i];
    }
    // Read into another variable and written back.
#pragma acc parallel loop gang vector reduction(+:sum) reduction(+:seen) copyin(a)
    for (int i = 0; i < N; i++) {
        int before = sum;
        sum = before + a[i];
        seen += sum - before == a[i];
    }
    // Read by a condition; read by a loop inside.
#pragma acc parallel loop worker num_gangs(1) reduction(max:largest) reduction(+:count) copyin(a)
    for (int i = 0; i < N; i++) {
        if (largest < a[i])
            largest = a[i];
        int start = count;
        while (count < start + 2)
            count++;
    }
    // On an orphaned loop of a vector routine, over rows.
    int rows = 0;
#pragma acc parallel loop gang reduction(+:rows) copyin(a)
    for (int r = 0; r < 4; r++)
        rows += largest_of(a + 100 * r, 100);

    int expected_rows = 0;
    for (int r = 0; r < 4; r++) {
        int most = -1;
        for (int i = 0; i < 100; i++)
            most = a[100 * r + i] > most ? a[100 * r + i] : most;
        expected_rows += most;
    }
    if (sum != expected || seen != N || largest != 198 || count != 2 * N || rows != expected_rows) {
        printf("sum %d (%d), seen %d, largest %d, count %d, rows %d (%d)\n", sum, expected, seen, largest, count, rows,
               expected_rows);
        return 1;
    }
    return 0;
}
