// options: -fopenmp
// Sections with strides in `to` and `from` of `target update`, and as places of dependences.
#include <stdio.h>
#include <stdlib.h>

static int of_line(int i)
{
    return i >= 1 && i <= 13 && i % 3 == 1 || i >= 20 && i % 4 == 0 || i < 2 || i == 6;
}

static int of_heap(int i)
{
    return i >= 4 && i <= 22 && i % 2 == 0;
}

static int of_grid(int row, int column)
{
    return (row == 1 || row == 3) && column <= 4 && column % 2 == 0;
}

static int of_vla(int row, int column)
{
    return row < 30 && row % 2 == 0 && column == 1;
}

int main(void)
{
    int n = 30, two = 2, line[30], *heap = malloc(30 * sizeof *heap), grid[6][8], vla[n][two + 1];
    int shares = 0, right[4] = { 0 };
#pragma omp target enter data map(alloc : line, heap[0:n], grid, vla) map(to : shares)
    // The host and a device with memory of its own have different values.
#pragma omp target
    {
        for (int i = 0; i < n; i++) {
            line[i] = heap[i] = 1000 + i;
            for (int j = 0; j <= two; j++)
                vla[i][j] = 1000 + 10 * i + j;
        }
        for (int i = 0; i < 6; i++)
            for (int j = 0; j < 8; j++)
                grid[i][j] = 1000 + 10 * i + j;
    }
#pragma omp target map(alloc : shares)
    shares = 1;
    for (int i = 0; i < n && !shares; i++) {
        line[i] = heap[i] = -1;
        vla[i][0] = vla[i][1] = vla[i][2] = -1;
    }
    for (int i = 0; i < 48 && !shares; i++)
        grid[i / 8][i % 8] = -1;

#pragma omp target update from(line[1:5:3], grid[1:2:2][:3:2])
#pragma omp target update from(heap[4 : n / 3 : two]) nowait depend(inout : heap[0:n:2])
#pragma omp target nowait depend(inout : heap[:4:8])
    heap[4] = 1004;
#pragma omp target update from(vla[0 : n / 2 : two][1:1]) nowait depend(out : vla[::2])
#pragma omp target update from(line[20::4], line[:2:], line[6:1:7])
#pragma omp taskwait
    for (int i = 0; i < n; i++) {
        right[0] += line[i] == (shares || of_line(i) ? 1000 + i : -1);
        right[1] += heap[i] == (shares || of_heap(i) ? 1000 + i : -1);
        for (int j = 0; j <= two; j++)
            right[2] += vla[i][j] == (shares || of_vla(i, j) ? 1000 + 10 * i + j : -1);
    }
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 8; j++)
            right[3] += grid[i][j] == (shares || of_grid(i, j) ? 1000 + 10 * i + j : -1);
    printf("%d %d %d %d\n", right[0], right[1], right[2], right[3]);

    // To the device: every third element is new there.
    for (int i = 0; i < n; i++)
        line[i] = i + 7;
#pragma omp target update to(line)
    for (int i = 0; i < n; i++)
        line[i] = -i;
#pragma omp target update to(line[two::3])
    int found = 0;
#pragma omp target map(tofrom : found) firstprivate(shares)
    for (int i = 0; i < n; i++)
        found += line[i] == (i % 3 == 2 || shares ? -i : i + 7);
    printf("%d\n", found);
#pragma omp target exit data map(release : line, heap[0:n], grid, vla, shares)
    free(heap);
    return 0;
}
