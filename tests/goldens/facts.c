// Executes the golden cases of `facts`.
// also: --gangs 3
#include <stdio.h>

#include "../../golden/cases/facts/constant_data.c"
#include "../../golden/cases/facts/declared.c"
#include "../../golden/cases/facts/followed.c"
#include "../../golden/cases/facts/signs.c"

int main(void)
{
    double grid[8][16] = {0};
    struct line from[3] = {{.x = {1, 2, 3, 4}}, {.x = {5, 6, 7, 8}}, {.x = {9, 10, 11, 12}}};
    struct line to[2] = {{.rest = {0.5}}};
    for (int i = 0; i < 8; i++)
        for (int j = 0; j < 16; j++)
            table[i][j] = i + 0.25 * j;
    subscripts(2, grid, to, from);
    printf("subscripts: %g %g %g, %g %g\n", grid[0][0], grid[0][1], grid[1][2], to[0].x[0], to[1].x[1]);
    printf("ends: %ld\n", ends(1));

    double a[6] = {1, 2, 3, 4, 5, 6}, b[18];
    promises(6, a, b);
    for (int i = 0; i < 18; i++)
        printf("%g%c", b[i], i == 17 ? '\n' : ' ');

    int numbers[4] = {3, 1, 4, 1}, sums[8] = {0};
    unsigned char bytes[4] = {253, 254, 255, 0};
    signs(4, 0, 0, numbers, sums, bytes);
    for (int i = 0; i < 8; i++)
        printf("%d%c", sums[i], i == 7 ? '\n' : ' ');
    printf("%d %d %d %d\n", bytes[0], bytes[1], bytes[2], bytes[3]);
    int turned_by[4] = {5, 7, 11, 13}, differences[4];
    printf("%d", constant_data(4, turned_by, differences));
    for (int i = 0; i < 4; i++)
        printf(" %d", differences[i]);
    putchar('\n');
    printf("%d %d\n", followed(4, turned_by, 0), followed(0, 0, 5));
    return 0;
}
