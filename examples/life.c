// Conway's game of life on a torus. The boards live on the device between `enter data` and `exit data`; the host sees
// the board only through `update`.
#include <stdio.h>
#include <stdlib.h>

enum { SIZE = 20 };

static void generation(const char *old, char *new)
{
#pragma acc parallel loop collapse(2) present(old[0:SIZE * SIZE], new[0:SIZE * SIZE])
    for (int row = 0; row < SIZE; row++)
        for (int column = 0; column < SIZE; column++) {
            int neighbours = 0;
#pragma acc loop seq
            for (int k = 0; k < 9; k++) {
                int r = (row + k / 3 + SIZE - 1) % SIZE, c = (column + k % 3 + SIZE - 1) % SIZE;
                neighbours += k != 4 && old[r * SIZE + c];
            }
            new[row * SIZE + column] = neighbours == 3 || (neighbours == 2 && old[row * SIZE + column]);
        }
}

int main(void)
{
    static const int glider[][2] = {{0, 1}, {1, 2}, {2, 0}, {2, 1}, {2, 2}};
    char *board = calloc(SIZE * SIZE, 1), *next = calloc(SIZE * SIZE, 1);
    if (!board || !next)
        return 1;
    for (int i = 0; i < 5; i++)
        board[glider[i][0] * SIZE + glider[i][1]] = 1;

#pragma acc enter data copyin(board[0:SIZE * SIZE]) create(next[0:SIZE * SIZE])
    for (int step = 0; step < 40; step += 2) {
        generation(board, next);
        generation(next, board);
    }
    int alive = 0;
#pragma acc parallel loop reduction(+:alive) present(board[0:SIZE * SIZE])
    for (int i = 0; i < SIZE * SIZE; i++)
        alive += board[i];
#pragma acc update self(board[0:SIZE * SIZE])
#pragma acc exit data delete(board[0:SIZE * SIZE], next[0:SIZE * SIZE])

    for (int row = 8; row < 15; row++) {
        for (int column = 8; column < 15; column++)
            putchar(board[row * SIZE + column] ? '#' : '.');
        putchar('\n');
    }
    printf("%d alive\n", alive);
    free(board);
    free(next);
    return 0;
}
