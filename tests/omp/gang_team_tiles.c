// options: -fopenmp
// Tiles of two matrices in memory of the team, whose threads meet between loading and using them: nothing stands
// between the loops over tiles and the `parallel`, and both keep their own threads.
#include <omp.h>
#include <stdio.h>

enum { TILE = 16, SIZE = 64 };
static float a[SIZE][SIZE], b[SIZE][SIZE], c[SIZE][SIZE];

int main(void)
{
    for (int i = 0; i < SIZE; i++)
        for (int j = 0; j < SIZE; j++)
            a[i][j] = (i * 3 + j) % 7, b[i][j] = (i + j * 5) % 3;
#pragma omp target teams distribute collapse(2) thread_limit(TILE * TILE) map(to : a, b) map(from : c)
    for (int row = 0; row < SIZE / TILE; row++)
        for (int column = 0; column < SIZE / TILE; column++) {
            float of_a[TILE][TILE], of_b[TILE][TILE];
#pragma omp parallel num_threads(TILE * TILE)
            {
                int x = omp_get_thread_num() % TILE, y = omp_get_thread_num() / TILE;
                float sum = 0;
                for (int m = 0; m < SIZE; m += TILE) {
                    of_a[y][x] = a[row * TILE + y][m + x];
                    of_b[y][x] = b[m + y][column * TILE + x];
#pragma omp barrier
                    for (int k = 0; k < TILE; k++)
                        sum += of_a[y][k] * of_b[k][x];
#pragma omp barrier
                }
                c[row * TILE + y][column * TILE + x] = sum;
            }
        }
    int wrong = 0;
    for (int i = 0; i < SIZE; i++)
        for (int j = 0; j < SIZE; j++) {
            float sum = 0;
            for (int k = 0; k < SIZE; k++)
                sum += a[i][k] * b[k][j];
            wrong += c[i][j] != sum;
        }
    printf("%d wrong\n", wrong);
    return wrong != 0;
}
