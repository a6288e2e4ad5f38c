// A wavefront: the block at (i, j) needs those above it and to its left. Each block is a task, and `depend` says
// just that; blocks on a diagonal run at the same time. Needs `-fopenmp`; plain C computes the same.
// options: -fopenmp
#include <stdio.h>
#include <string.h>

enum { BLOCKS = 6, SIZE = 16, N = BLOCKS * SIZE };

static char first[N + 1], second[N + 1];
static int length[N + 1][N + 1];
// One place per block, for the dependences; a row and a column more, so that the first blocks need no rule.
static char done[BLOCKS + 1][BLOCKS + 1];

// The longest common subsequence of two texts, one block of its table.
static void block(int row, int column)
{
    for (int i = 1 + row * SIZE; i <= (row + 1) * SIZE; i++)
        for (int j = 1 + column * SIZE; j <= (column + 1) * SIZE; j++) {
            int above = length[i - 1][j], left = length[i][j - 1];
            length[i][j] = above > left ? above : left;
            if (first[i - 1] == second[j - 1] && length[i - 1][j - 1] + 1 > length[i][j])
                length[i][j] = length[i - 1][j - 1] + 1;
        }
}

int main(void)
{
    for (int i = 0; i < N; i++) {
        first[i] = (char)('a' + i * 7 % 11);
        second[i] = (char)('a' + i * i % 13);
    }
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < BLOCKS; i++)
        for (int j = 0; j < BLOCKS; j++) {
#pragma omp task depend(in : done[i][j + 1], done[i + 1][j]) depend(out : done[i + 1][j + 1])
            block(i, j);
        }
    printf("common: %d of %d\n", length[N][N], N);
    return 0;
}
