// A blur over an image: two dimensions of gangs, each with a contiguous share of its loop; a collapsed loop that clears the
// frame; and a loop that runs once, in `serial`.
#include <stdio.h>

enum { H = 90, W = 120 };

static float image[H][W], blurred[H][W];

int main(void)
{
    double sum = 0;
#pragma acc data create(image, blurred)
    {
#pragma acc parallel loop collapse(2) present(image, blurred)
        for (int y = 0; y < H; y++)
            for (int x = 0; x < W; x++) {
                image[y][x] = (float)((x * 13 + y * 7) % 50);
                blurred[y][x] = 0;
            }
#pragma acc parallel num_gangs(5, 3) vector_length(64) present(image, blurred)
        {
#pragma acc loop gang(dim : 2)
            for (int y = 1; y < H - 1; y++) {
#pragma acc loop gang(dim : 1, static : 8) vector
                for (int x = 1; x < W - 1; x++) {
                    float near = 0;
#pragma acc loop seq
                    for (int dy = -1; dy <= 1; dy++)
                        for (int dx = -1; dx <= 1; dx++)
                            near += image[y + dy][x + dx] * (float)((2 - dy * dy) * (2 - dx * dx));
                    blurred[y][x] = near / 16;
                }
            }
        }
#pragma acc serial present(blurred)
        blurred[0][0] = blurred[H / 2][W / 2];
#pragma acc parallel loop collapse(2) reduction(+ : sum) present(blurred)
        for (int y = 0; y < H; y++)
            for (int x = 0; x < W; x++)
                sum += blurred[y][x];
    }
    printf("%.1f\n", sum);
    return 0;
}
